//! Confinement of files, signals and ports, with Landlock.

use super::{Confinement, MissingProtection};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreatedAttr, Scope,
};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The versions of Landlock that add a protection, newest first, with what an engine could do without them.
const VERSIONS: [(ABI, &str, &str); 6] = [
    (ABI::V6, "Landlock version 6 (Linux 6.12)", "an engine could signal other programs of the same user"),
    (ABI::V5, "Landlock version 5 (Linux 6.10)", "an engine could control devices that it can open"),
    (ABI::V4, "Landlock version 4 (Linux 6.7)", "only seccomp blocks network ports"),
    (ABI::V3, "Landlock version 3 (Linux 6.2)", "an engine could empty files outside its scratch folder"),
    (ABI::V2, "Landlock version 2 (Linux 5.19)", "an engine cannot move files between its own folders"),
    (ABI::V1, "Landlock (Linux 5.13, and enabled at boot)", "an engine could read and write all files"),
];

/// Devices that programs expect and that store nothing.
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// The versions that this kernel lacks.
pub(super) fn missing() -> Vec<MissingProtection> {
    let lacking = VERSIONS.iter().take_while(|(abi, ..)| ruleset(*abi).is_err());
    lacking
        .map(|(_, part, risk)| MissingProtection { part: (*part).to_owned(), risk: (*risk).to_owned() })
        .collect()
}

/// A ruleset with all access rights of a version, or the reason why this kernel does not have it.
fn ruleset(abi: ABI) -> Result<landlock::RulesetCreated, String> {
    let context = |error: landlock::RulesetError| format!("Landlock: {error}");
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(abi))
        .map_err(context)?;
    if abi >= ABI::V4 {
        ruleset = ruleset.handle_access(AccessNet::from_all(abi)).map_err(context)?;
    }
    if abi >= ABI::V6 {
        ruleset = ruleset.scope(Scope::from_all(abi)).map_err(context)?;
    }
    ruleset.create().map_err(context)
}

/// Restricts this thread to reading what is not hidden and writing in the scratch folder, with the newest version that
/// the kernel has.
pub(super) fn restrict(confinement: &Confinement, scratch: &Path) -> Result<(), String> {
    let Some((abi, mut rules)) =
        VERSIONS.iter().find_map(|(abi, ..)| ruleset(*abi).ok().map(|rules| (*abi, rules)))
    else {
        return Ok(());
    };
    let mut allow = |path: &Path, rights: BitFlags<AccessFs>| -> Result<(), String> {
        // A path that was removed meanwhile, or that this process cannot open, gets no rule.
        let (Ok(fd), Ok(kind)) = (PathFd::new(path), fs::symlink_metadata(path)) else { return Ok(()) };
        let rights = if kind.is_dir() { rights } else { rights & AccessFs::from_file(abi) };
        let added = (&mut rules).add_rule(PathBeneath::new(fd, rights));
        added.map(|_| ()).map_err(|error| format!("Landlock, {}: {error}", path.display()))
    };
    // All devices are hidden: reading a disk device bypasses every rule, and the terminal is not the engine's.
    let hidden = confinement.hidden.iter().map(PathBuf::as_path).chain([Path::new("/dev")]);
    for path in readable(hidden, &confinement.shown) {
        allow(&path, AccessFs::from_read(abi))?;
    }
    for path in DEVICES {
        allow(Path::new(path), AccessFs::from_read(abi) | AccessFs::WriteFile)?;
    }
    allow(&real(scratch), AccessFs::from_all(abi))?;
    rules.restrict_self().map(|_| ()).map_err(|error| format!("Landlock: {error}"))
}

/// The largest folders and files that contain nothing hidden. Landlock can only allow, so the result is every sibling
/// of the folders from the root down to a hidden path, and what is shown below a hidden path. Links are left out, since
/// their target is allowed or hidden by its own path.
fn readable<'a>(hidden: impl Iterator<Item = &'a Path>, shown: &[PathBuf]) -> Vec<PathBuf> {
    let hidden: BTreeSet<PathBuf> = hidden.map(real).collect();
    let shown = shown.iter().map(|path| real(path));
    // A shown path outside all hidden ones is readable without an entry.
    let shown: BTreeSet<PathBuf> =
        shown.filter(|path| path.ancestors().any(|above| hidden.contains(above))).collect();
    let ancestors: BTreeSet<&Path> = hidden.union(&shown).flat_map(|path| path.ancestors().skip(1)).collect();
    let mut readable = Vec::new();
    let mut paths = vec![(PathBuf::from("/"), true)];
    while let Some((path, seen_above)) = paths.pop() {
        let seen = shown.contains(&path) || seen_above && !hidden.contains(&path);
        if ancestors.contains(path.as_path()) {
            let entries = fs::read_dir(&path).into_iter().flatten().flatten();
            let plain = entries.filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink()));
            paths.extend(plain.map(|entry| (entry.path(), seen)));
        } else if seen {
            readable.push(path);
        }
    }
    readable
}

/// The path without links, as far down as it exists.
fn real(path: &Path) -> PathBuf {
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
    fn everything_but_hidden_paths_is_readable() {
        let root = real(&std::env::temp_dir()).join(format!("palestra-readable-{}", std::process::id()));
        for folder in ["a/deep", "b/one", "b/two/own/cache", "b/two/other", "c"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        std::os::unix::fs::symlink(root.join("b/two"), root.join("link")).unwrap();
        let check = |hidden: &[&str], shown: &[&str], expected: &[&str]| {
            let below = |names: &[&str]| names.iter().map(|name| root.join(name)).collect::<Vec<_>>();
            let seen = readable(below(hidden).iter().map(PathBuf::as_path), &below(shown));
            let mut found: Vec<_> = seen.iter().filter_map(|path| path.strip_prefix(&root).ok()).collect();
            found.sort();
            assert_eq!(found, expected.iter().map(Path::new).collect::<Vec<_>>(), "{hidden:?} {shown:?}");
            assert!(seen.contains(&PathBuf::from("/usr")), "{seen:?}");
            assert!(!seen.iter().any(|path| root.starts_with(path) && path != &root), "{seen:?}");
        };
        check(&["b/two", "store", "b/two/deeper"], &[], &["a", "b/one", "c"]);
        check(&["b/two"], &["b/two/own"], &["a", "b/one", "b/two/own", "c"]);
        // A shown folder does not show hidden paths in it, nor does one that is not hidden.
        check(&["b/two"], &["b", "", "a"], &["a", "b/one", "c"]);
        check(&["b/two", "b/two/own/cache"], &["b/two/own"], &["a", "b/one", "c"]);
        check(&["b/two", "b/two/own"], &["b/two/own/cache"], &["a", "b/one", "b/two/own/cache", "c"]);
        check(&["link"], &[], &["a", "b/one", "c"]);
        fs::remove_dir_all(&root).unwrap();
    }
}
