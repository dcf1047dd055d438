//! What every confined engine can read: the system's programs and libraries with their settings, the interpreters of
//! `PATH`, and its own files. All else is out of its sight.

use super::Confinement;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Programs and libraries of the system.
const SYSTEM: [&str; 9] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"];

/// Entries of `/etc` that programs and libraries read when they start. None of them names users or holds a secret.
const SETTINGS: [&str; 17] = [
    "alternatives",
    "debian_version",
    "dotnet",
    "gcrypt",
    "inputrc",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "ld.so.preload",
    "locale.alias",
    "localtime",
    "mime.types",
    "os-release",
    "perl",
    "sbclrc",
    "ssl/openssl.cnf",
    "timezone",
];

/// Settings of languages, whose entries of `/etc` have a version in their names: `java-17-openjdk`.
const LANGUAGES: [&str; 9] = ["erlang", "ghc", "guile", "java", "lua", "mono", "php", "python3", "ruby"];

/// The processor, which runtimes ask for their number of threads.
const MACHINE: [&str; 3] =
    ["/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/kernel/mm/transparent_hugepage"];

/// Devices that programs expect and that store nothing.
pub(super) const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Files of `/proc` that describe the machine and no process.
pub(super) const MACHINE_FILES: [&str; 9] = [
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/kernel/random",
    "/proc/sys/vm/overcommit_memory",
    "/proc/uptime",
    "/proc/version",
];

/// The files and folders that exist of those that an engine can read; `path` are the folders of its `PATH`.
pub(super) fn roots(confinement: &Confinement, path: &OsStr) -> BTreeSet<PathBuf> {
    let settings = SETTINGS.iter().map(|name| Path::new("/etc").join(name));
    let languages = fs::read_dir("/etc").into_iter().flatten().flatten().map(|entry| entry.path());
    let languages = languages.filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        LANGUAGES.iter().any(|language| name.starts_with(language))
    });
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    // A program that its path names may belong to an installation too: `venv/bin/python`, which is often a link into
    // another one.
    let programs = confinement.shown.iter().filter(|path| path.is_file());
    let programs = programs.flat_map(|path| [Some(path.clone()), path.canonicalize().ok()]).flatten();
    let folders =
        programs.filter_map(|path| path.parent().map(Path::to_owned)).filter(|path| path.ends_with("bin"));
    let folders = folders.chain(std::env::split_paths(path));
    let interpreters = folders.filter_map(|folder| interpreter_root(&folder, &home));
    let fixed = SYSTEM.iter().chain(&MACHINE).map(PathBuf::from);
    let own = confinement.shown.iter().cloned();
    let all = fixed.chain(settings).chain(languages).chain(interpreters).chain(own);
    all.filter(|path| path.symlink_metadata().is_ok()).collect()
}

/// What a folder of `PATH` needs: the whole installation that it belongs to (`~/.pyenv` for `~/.pyenv/shims`), or the
/// folder alone where what is around it is not an installation.
fn interpreter_root(folder: &Path, home: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok().filter(|_| folder.is_absolute())?;
    if home.starts_with(&folder) {
        return None;
    }
    let prefix = folder.parent()?;
    let is_private =
        home.starts_with(prefix) || [".local", ".cargo"].iter().any(|name| prefix.ends_with(name));
    let is_installation = ["lib", "libexec"].iter().any(|name| prefix.join(name).is_dir());
    let has_programs = ["bin", "sbin", "shims"].iter().any(|name| folder.ends_with(name));
    match has_programs && is_installation && !is_private {
        true => Some(prefix.to_owned()),
        false => Some(folder),
    }
}

/// The path without links, as far down as it exists.
pub(super) fn real(path: &Path) -> PathBuf {
    if let Ok(canonical) = path.canonicalize() {
        return canonical;
    }
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => real(parent).join(name),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installation_is_shown_and_a_home_is_not() {
        let home = real(&std::env::temp_dir()).join(format!("palestra-home-{}", std::process::id()));
        for folder in [
            ".pyenv/shims",
            ".pyenv/libexec",
            ".local/bin",
            ".local/lib",
            ".cargo/bin",
            "bin",
            "lib",
            "course/bin",
            "jdk/bin",
            "jdk/lib",
        ] {
            fs::create_dir_all(home.join(folder)).unwrap();
        }
        let check = |folder: &str, root: Option<&str>| {
            let found = interpreter_root(&home.join(folder), &home);
            assert_eq!(found, root.map(|root| home.join(root)), "{folder}");
        };
        check(".pyenv/shims", Some(".pyenv"));
        check("jdk/bin", Some("jdk"));
        for alone in [".local/bin", ".cargo/bin", "bin", "course/bin"] {
            check(alone, Some(alone));
        }
        check("missing/bin", None);
        check("", None);
        assert_eq!(interpreter_root(Path::new("bin"), &home), None);
        fs::remove_dir_all(&home).unwrap();
    }
}
