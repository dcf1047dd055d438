//! The file system that an engine sees where the kernel grants namespaces: a root of its own with nothing but what it
//! can read, its scratch folder, a few devices, and a `/proc` of its own processes only.

use super::processes::unshare;
use super::roots::{DEVICES, real};
use rustix::fs::Mode;
use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind_recursive, mount_change, unmount,
};
use rustix::process::{chdir, pivot_root};
use rustix::thread::UnshareFlags;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Most links in a row that are followed, as in the kernel.
const MAX_LINKS: usize = 40;

/// Gives this process a root of its own that has these files and folders at their paths, and the folder `start`, if it
/// exists, at least as an empty one. `aliases` are further paths of folders. `place` is an empty folder.
pub(super) fn enter(
    shown: &BTreeSet<PathBuf>,
    aliases: &[(PathBuf, PathBuf)],
    start: &Path,
    place: &Path,
) -> io::Result<()> {
    unshare(UnshareFlags::NEWNS | UnshareFlags::NEWUTS)?;
    // The name of the machine often says whose it is.
    rustix::system::sethostname(b"palestra")?;
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    let safe = MountFlags::NOSUID | MountFlags::NODEV;
    mount("tmpfs", place, "tmpfs", safe, c"size=4m,mode=755")?;
    let mut view = View { place, bound: BTreeSet::new() };
    for path in shown {
        view.add(path, MAX_LINKS)?;
    }
    view.bind()?;
    for (alias, folder) in aliases {
        view.add_alias(alias, &real(folder))?;
    }
    if start.is_dir() && view.at(start).symlink_metadata().is_err() {
        fs::create_dir_all(view.at(start))?;
    }
    view.add_devices()?;
    let proc = view.at(Path::new("/proc"));
    fs::create_dir(&proc)?;
    // Processes that an engine may not look into, such as the first one of its namespace, are not listed either.
    mount("proc", &proc, "proc", safe | MountFlags::NOEXEC, c"hidepid=4")?;
    chdir(place)?;
    pivot_root(".", ".")?;
    unmount(".", UnmountFlags::DETACH)?;
    Ok(chdir("/")?)
}

/// The new root while it is built.
struct View<'a> {
    place: &'a Path,
    /// Paths without links that are bound to the same paths of the new root.
    bound: BTreeSet<PathBuf>,
}

impl View<'_> {
    /// The place of a path in the new root.
    fn at(&self, path: &Path) -> PathBuf {
        self.place.join(path.strip_prefix("/").unwrap_or(path))
    }

    /// Creates the links on the way to a path and notes the path that they lead to.
    fn add(&mut self, path: &Path, links_left: usize) -> io::Result<()> {
        let ways: Vec<&Path> = path.ancestors().collect();
        for way in ways.into_iter().rev() {
            let Ok(target) = fs::read_link(way) else { continue };
            let Some(links_left) = links_left.checked_sub(1) else { return Ok(()) };
            let link = self.at(way);
            if link.symlink_metadata().is_err() {
                fs::create_dir_all(link.parent().unwrap_or(self.place))?;
                symlink(&target, &link)?;
            }
            let rest = path.strip_prefix(way).unwrap_or(Path::new(""));
            let start = way.parent().unwrap_or(Path::new("/"));
            // A link into `..` is resolved by the file system itself.
            let next = start.join(target).join(rest);
            let next = if next.iter().any(|part| part == "..") { real(&next) } else { next };
            return self.add(&next, links_left);
        }
        if path.exists() {
            self.bound.insert(path.to_owned());
        }
        Ok(())
    }

    /// Binds the noted paths. Those below another one are in it already.
    fn bind(&self) -> io::Result<()> {
        for path in &self.bound {
            if !path.ancestors().skip(1).any(|above| self.bound.contains(above)) {
                self.bind_one(path)?;
            }
        }
        Ok(())
    }

    /// Binds a folder that is shown to another path, unless something is there already.
    fn add_alias(&self, alias: &Path, folder: &Path) -> io::Result<()> {
        let is_shown = folder.ancestors().any(|above| self.bound.contains(above));
        match is_shown && self.at(alias).symlink_metadata().is_err() {
            true => self.bind_at(folder, &self.at(alias)),
            false => Ok(()),
        }
    }

    fn bind_one(&self, path: &Path) -> io::Result<()> {
        self.bind_at(path, &self.at(path))
    }

    fn bind_at(&self, path: &Path, target: &Path) -> io::Result<()> {
        match path.is_dir() {
            true => fs::create_dir_all(target)?,
            false => {
                fs::create_dir_all(target.parent().unwrap_or(self.place))?;
                drop(File::create(target)?);
            }
        }
        Ok(mount_bind_recursive(path, target)?)
    }

    fn add_devices(&self) -> io::Result<()> {
        for device in DEVICES.iter().map(Path::new).filter(|device| device.exists()) {
            self.bind_one(device)?;
        }
        for (name, target) in [("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")] {
            symlink(format!("/proc/self/{target}"), self.at(Path::new("/dev")).join(name))?;
        }
        Ok(())
    }
}

/// Creates the folder in which a new root is built.
pub(super) fn create_place(place: &Path) -> io::Result<()> {
    Ok(rustix::fs::mkdir(place, Mode::RWXU)?)
}
