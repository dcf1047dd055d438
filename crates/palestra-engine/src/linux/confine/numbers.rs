//! The numbers of system calls, which differ between processors.

/// A call's number on x86-64 and on 64-bit Arm; `None` where it has none.
type CallNumbers = (i64, Option<i64>);

/// Calls that no engine needs; each returns `EPERM`.
pub(super) const REFUSED: [CallNumbers; 83] = [
    // They bypass the filter itself, or reach into other processes.
    (425, Some(425)), // io_uring_setup
    (426, Some(426)), // io_uring_enter
    (427, Some(427)), // io_uring_register
    (101, Some(117)), // ptrace
    (310, Some(270)), // process_vm_readv
    (311, Some(271)), // process_vm_writev
    (440, Some(440)), // process_madvise
    (438, Some(438)), // pidfd_getfd
    (312, Some(272)), // kcmp
    // They leave the process group, which is killed as a whole.
    (112, Some(157)), // setsid
    (109, Some(154)), // setpgid
    // They give another view of the file system.
    (165, Some(40)),  // mount
    (166, Some(39)),  // umount2
    (155, Some(41)),  // pivot_root
    (161, Some(51)),  // chroot
    (272, Some(97)),  // unshare
    (308, Some(268)), // setns
    (430, Some(430)), // fsopen
    (431, Some(431)), // fsconfig
    (432, Some(432)), // fsmount
    (433, Some(433)), // fspick
    (428, Some(428)), // open_tree
    (429, Some(429)), // move_mount
    (442, Some(442)), // mount_setattr
    (304, Some(265)), // open_by_handle_at
    (303, Some(264)), // name_to_handle_at
    (300, Some(262)), // fanotify_init
    // They change modes, owners and attributes of files, which Landlock does not control.
    (90, None),       // chmod
    (91, Some(52)),   // fchmod
    (268, Some(53)),  // fchmodat
    (452, Some(452)), // fchmodat2
    (92, None),       // chown
    (94, None),       // lchown
    (93, Some(55)),   // fchown
    (260, Some(54)),  // fchownat
    (188, Some(5)),   // setxattr
    (189, Some(6)),   // lsetxattr
    (190, Some(7)),   // fsetxattr
    (463, Some(463)), // setxattrat
    (197, Some(14)),  // removexattr
    (198, Some(15)),  // lremovexattr
    (199, Some(16)),  // fremovexattr
    (466, Some(466)), // removexattrat
    (469, Some(469)), // file_setattr
    (132, None),      // utime
    (235, None),      // utimes
    (261, None),      // futimesat
    // They create memory that outlives its process, or send messages to other processes.
    (29, Some(194)),  // shmget
    (68, Some(186)),  // msgget
    (64, Some(190)),  // semget
    (240, Some(180)), // mq_open
    (248, Some(217)), // add_key
    (249, Some(218)), // request_key
    (250, Some(219)), // keyctl
    // They change the share of the processor, of the process itself or of others.
    (203, Some(122)), // sched_setaffinity
    (144, Some(119)), // sched_setscheduler
    (142, Some(118)), // sched_setparam
    (314, Some(274)), // sched_setattr
    (141, Some(140)), // setpriority
    (251, Some(30)),  // ioprio_set
    (256, Some(238)), // migrate_pages
    (279, Some(239)), // move_pages
    // They administer the machine.
    (321, Some(280)), // bpf
    (298, Some(241)), // perf_event_open
    (323, Some(282)), // userfaultfd
    (246, Some(104)), // kexec_load
    (320, Some(294)), // kexec_file_load
    (169, Some(142)), // reboot
    (167, Some(224)), // swapon
    (168, Some(225)), // swapoff
    (175, Some(105)), // init_module
    (313, Some(273)), // finit_module
    (176, Some(106)), // delete_module
    (163, Some(89)),  // acct
    (179, Some(60)),  // quotactl
    (103, Some(116)), // syslog
    (164, Some(170)), // settimeofday
    (227, Some(112)), // clock_settime
    (305, Some(266)), // clock_adjtime
    (170, Some(161)), // sethostname
    (172, None),      // iopl
    (173, None),      // ioperm
    (153, Some(58)),  // vhangup
];

/// Calls that return `ENOSYS`, so that libraries fall back to an older one: `clone3`, whose flags are in memory that a
/// filter cannot read, and memory that is neither a file nor part of one process.
pub(super) const UNKNOWN: [CallNumbers; 3] = [
    (435, Some(435)), // clone3
    (319, Some(279)), // memfd_create
    (447, Some(447)), // memfd_secret
];

/// `socket`.
pub(super) const SOCKET: CallNumbers = (41, Some(198));
/// `clone`.
pub(super) const CLONE: CallNumbers = (56, Some(220));
/// `prlimit64`.
pub(super) const PRLIMIT: CallNumbers = (302, Some(261));
/// `utimensat`.
pub(super) const UTIMENSAT: CallNumbers = (280, Some(88));

/// The numbers of a call on this machine. On x86-64 the same call has a second number, that of the x32 ABI.
pub(super) fn here((x86, arm): CallNumbers) -> Vec<i64> {
    const X32: i64 = 0x4000_0000;
    match cfg!(target_arch = "x86_64") {
        true => vec![x86, x86 | X32],
        false => arm.into_iter().collect(),
    }
}
