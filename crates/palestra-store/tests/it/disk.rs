//! Full and read-only disks, on small file systems where the user may mount them.

use crate::support::{Folder, exported, key, new_run};
use palestra_store::{ExportFormat, Store, StoreError};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// A tmpfs of 2 MiB mounted on a temporary folder; unmounted on drop.
struct Disk(Folder);

impl Disk {
    /// `None`, with a message, if the user may not mount.
    fn new() -> Option<Self> {
        let folder = Folder::new();
        let is_mounted = mount(&["-t", "tmpfs", "-o", "size=2m", "none"], folder.path());
        if !is_mounted {
            eprintln!("SKIPPED: the user may not mount a tmpfs");
        }
        is_mounted.then_some(Self(folder))
    }

    fn make_read_only(&self) {
        assert!(mount(&["-o", "remount,ro"], self.0.path()));
    }

    /// Fills the disk until `left` bytes are free.
    fn fill(&self, left: usize) {
        let mut ballast = fs::File::create(self.ballast()).unwrap();
        while ballast.write_all(&[1; 4096]).is_ok() {}
        let length = ballast.metadata().unwrap().len();
        ballast.set_len(length.saturating_sub(left as u64)).unwrap();
    }

    fn ballast(&self) -> std::path::PathBuf {
        self.0.path().join("ballast")
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        drop(Command::new("umount").arg("-l").arg(self.0.path()).status());
    }
}

fn mount(args: &[&str], at: &Path) -> bool {
    let output = Command::new("mount").args(args).arg(at).output();
    output.is_ok_and(|output| output.status.success())
}

#[test]
fn a_full_disk_loses_nothing() {
    let Some(disk) = Disk::new() else { return };
    let mut store = disk.0.store();
    let run = store.begin_run(&new_run("a")).unwrap().id;
    let ledger = store.ledger(run).unwrap();
    disk.fill(400_000);
    let unit = |number: u32| vec![number as u8; 20_000];
    // Every unit has 1,000 games and so is committed at once.
    let failed = (0..1_000)
        .find_map(|number| Some((number, ledger.keep_unit(&key(0), number, unit(number), 1_000).err()?)));
    let (number, error) = failed.expect("the disk is small");
    assert!(matches!(error, StoreError::Full { .. }) && !error.is_bad_input(), "{error}");
    assert!(number > 3, "there was space for some");
    let error = ledger.keep_unit(&key(0), number + 1, unit(number + 1), 1).unwrap_err();
    assert!(matches!(error, StoreError::Full { .. }), "{error}");
    assert!(matches!(ledger.flush(), Err(StoreError::Full { .. })));
    assert!(matches!(ledger.finish("1"), Err(StoreError::Full { .. })));
    assert_eq!(store.run("toy-1").unwrap().n_games, u64::from(number) * 1_000);
    assert_eq!(store.check().unwrap(), [""; 0]);

    fs::remove_file(disk.ballast()).unwrap();
    ledger.flush().unwrap();
    let kept: Vec<_> = (0..=number + 1).map(|number| (number, unit(number))).collect();
    assert!(ledger.units(&key(0)).unwrap() == kept);
    ledger.finish("1").unwrap();
    assert_eq!(store.run("toy-1").unwrap().n_games, u64::from(number) * 1_000 + 1_001);
}

#[test]
fn a_store_cannot_be_created_on_a_full_disk() {
    let Some(disk) = Disk::new() else { return };
    disk.fill(0);
    let error = Store::open(disk.0.file()).unwrap_err();
    assert!(matches!(error, StoreError::Full { .. }), "{error:?}");
    fs::remove_file(disk.ballast()).unwrap();
    disk.0.store().begin_run(&new_run("a")).unwrap();
}

#[test]
fn an_old_store_on_a_read_only_disk_says_why() {
    let Some(disk) = Disk::new() else { return };
    crate::migration::make(&disk.0.file(), 2);
    disk.make_read_only();
    let error = Store::open_existing(disk.0.file()).unwrap_err();
    assert!(matches!(error, StoreError::OlderReadOnly { found: 2, known: 5, .. }), "{error:?}");
    assert!(error.to_string().contains("read-only: copy it"), "{error}");
}

#[test]
fn a_read_only_disk_can_be_read() {
    let Some(disk) = Disk::new() else { return };
    let run = disk.0.store().begin_run(&new_run("a")).unwrap();
    disk.make_read_only();
    for open in [Store::open, Store::open_existing] {
        let error = open(disk.0.file()).unwrap_err();
        assert!(matches!(error, StoreError::ReadOnly { .. }), "{error:?}");
    }
    let error = Store::open(disk.0.path().join("other.db")).unwrap_err();
    assert!(matches!(error, StoreError::ReadOnly { .. }), "{error:?}");
    let store = Store::open_read_only(disk.0.file()).unwrap();
    assert_eq!(store.runs().unwrap(), std::slice::from_ref(&run));
    assert!(matches!(store.ledger(run.id), Err(StoreError::ReadOnly { .. })));
    assert!(!exported(&store, run.id, ExportFormat::Json).is_empty());
}
