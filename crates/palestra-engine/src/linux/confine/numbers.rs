//! The system calls that are refused, by the numbers of the kernel's own headers for this processor.

use linux_raw_sys::general as kernel;

/// Constants of the kernel by name.
macro_rules! numbers {
    ($($name:ident)*) => { &[$(kernel::$name),*] };
}

/// Calls that no engine needs; each returns `EPERM`.
pub(super) const REFUSED: &[u32] = numbers! {
    // They bypass the filter itself, or reach into other processes.
    __NR_io_uring_setup __NR_io_uring_enter __NR_io_uring_register __NR_ptrace __NR_process_vm_readv
    __NR_process_vm_writev __NR_process_madvise __NR_pidfd_getfd __NR_kcmp
    // They leave the process group, which is killed as a whole.
    __NR_setsid __NR_setpgid
    // They give another view of the file system.
    __NR_mount __NR_umount2 __NR_pivot_root __NR_chroot __NR_unshare __NR_setns __NR_fsopen __NR_fsconfig
    __NR_fsmount __NR_fspick __NR_open_tree __NR_move_mount __NR_mount_setattr __NR_open_by_handle_at
    __NR_name_to_handle_at __NR_fanotify_init
    // They change modes, owners and attributes of files, which Landlock does not control.
    __NR_fchmod __NR_fchmodat __NR_fchmodat2 __NR_fchown __NR_fchownat __NR_setxattr __NR_lsetxattr
    __NR_fsetxattr __NR_setxattrat __NR_removexattr __NR_lremovexattr __NR_fremovexattr __NR_removexattrat
    __NR_file_setattr
    // They create memory that outlives its process, or send messages to other processes.
    __NR_shmget __NR_msgget __NR_semget __NR_mq_open __NR_add_key __NR_request_key __NR_keyctl
    // They change the share of the processor, of the process itself or of others.
    __NR_sched_setaffinity __NR_sched_setscheduler __NR_sched_setparam __NR_sched_setattr __NR_setpriority
    __NR_ioprio_set __NR_migrate_pages __NR_move_pages
    // They administer the machine.
    __NR_bpf __NR_perf_event_open __NR_userfaultfd __NR_kexec_load __NR_kexec_file_load __NR_reboot __NR_swapon
    __NR_swapoff __NR_init_module __NR_finit_module __NR_delete_module __NR_acct __NR_quotactl __NR_syslog
    __NR_settimeofday __NR_clock_settime __NR_clock_adjtime __NR_sethostname __NR_vhangup
};

/// Calls of these kinds that only x86-64 has.
#[cfg(target_arch = "x86_64")]
pub(super) const REFUSED_HERE: &[u32] = numbers! {
    __NR_chmod __NR_chown __NR_lchown __NR_utime __NR_utimes __NR_futimesat __NR_iopl __NR_ioperm
};
#[cfg(not(target_arch = "x86_64"))]
pub(super) const REFUSED_HERE: &[u32] = &[];

/// Calls that return `ENOSYS`, so that libraries fall back to an older one: `clone3`, whose flags are in memory that a
/// filter cannot read, and memory that is neither a file nor part of one process.
pub(super) const UNKNOWN: &[u32] = numbers! { __NR_clone3 __NR_memfd_create __NR_memfd_secret };

/// The flags of `clone` that make new namespaces.
pub(super) const NEW_NAMESPACES: &[u32] = numbers! {
    CLONE_NEWTIME CLONE_NEWNS CLONE_NEWCGROUP CLONE_NEWUTS CLONE_NEWIPC CLONE_NEWUSER CLONE_NEWPID CLONE_NEWNET
};

/// The numbers of a call on this machine. On x86-64 the same call has a second number, that of the x32 ABI.
pub(super) fn here(call: u32) -> Vec<i64> {
    const X32: i64 = 0x4000_0000;
    let call = i64::from(call);
    if cfg!(target_arch = "x86_64") { vec![call, call | X32] } else { vec![call] }
}
