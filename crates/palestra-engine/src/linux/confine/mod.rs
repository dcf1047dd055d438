//! Confinement by the kernel: a file system and process numbers of its own where the kernel grants namespaces, Landlock
//! for files and signals, seccomp for system calls, and almost no capabilities for engines started by root.
//!
//! Landlock, seccomp and capabilities hold for a thread and for what it starts from then on.

mod calls;
mod files;
mod numbers;
mod privileges;
mod processes;
mod roots;
mod view;

pub(crate) use processes::separate as separate_processes;

use crate::confine::{Confinement, MissingProtection};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The protections that this kernel lacks.
pub(crate) fn missing() -> Vec<MissingProtection> {
    // Without seccomp an engine reaches the network, which is worse than what newer versions of Landlock add.
    let mut missing = calls::missing();
    missing.extend(files::missing());
    missing
}

/// Whose files of `/proc` an engine sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ProcView {
    /// A `/proc` of its own processes.
    Own,
    /// That of the machine, of which it can read what concerns the process that is confined, and the machine.
    OneProcess,
    /// That of the machine, of which it can read what concerns the machine.
    Machine,
}

/// What one engine can read and write, before it is confined.
pub(super) struct Scene<'a> {
    confinement: &'a Confinement,
    roots: BTreeSet<PathBuf>,
    scratch: &'a Path,
}

impl<'a> Scene<'a> {
    /// For an engine with this `PATH`, which can write in `scratch`.
    pub(super) fn new(
        confinement: &'a Confinement,
        path: &OsStr,
        scratch: &'a Path,
    ) -> Result<Scene<'a>, String> {
        confinement.accepts(&missing())?;
        Ok(Scene { confinement, roots: roots::roots(confinement, path), scratch })
    }

    /// Gives this process a file system of its own, built in the folder `place`, where the kernel permits that. The
    /// engine is started in the folder `start`. For the first process of a namespace of process numbers.
    pub(super) fn enter(&self, start: &Path, place: &Path) -> ProcView {
        let mut shown = self.roots.clone();
        shown.insert(self.scratch.to_owned());
        let entered = view::create_place(place)
            .and_then(|()| view::enter(&shown, &self.confinement.aliases, start, place));
        if entered.is_ok() { ProcView::Own } else { ProcView::Machine }
    }

    /// Confines this thread and the processes that it starts from now on.
    pub(super) fn apply(&self, proc: ProcView) -> Result<(), String> {
        let mut files: Vec<PathBuf> = Vec::new();
        match proc {
            ProcView::Own => files.push("/proc".into()),
            ProcView::OneProcess => files.push("/proc/self".into()),
            ProcView::Machine => {}
        }
        if proc != ProcView::Own {
            files.extend(roots::MACHINE_FILES.iter().map(PathBuf::from));
        }
        // Files first: opening the paths needs the rights that the next two steps remove.
        files::restrict(self.confinement, &self.roots, &files, self.scratch)?;
        privileges::drop_all()?;
        calls::restrict(self.confinement.refuse_sockets_softly)
    }
}
