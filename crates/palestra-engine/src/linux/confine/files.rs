//! Files, signals and ports: Landlock.

use super::{Confinement, MissingProtection};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreatedAttr, Scope,
};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The versions of Landlock that add a part, newest first, with what a player could do without them.
const PARTS: [(ABI, &str, &str); 6] = [
    (ABI::V6, "Landlock version 6 (Linux 6.12)", "a player could signal other programs of the same user"),
    (ABI::V5, "Landlock version 5 (Linux 6.10)", "a player could control devices that it can open"),
    (ABI::V4, "Landlock version 4 (Linux 6.7)", "ports are held back by seccomp alone"),
    (ABI::V3, "Landlock version 3 (Linux 6.2)", "a player could empty files outside its scratch folder"),
    (ABI::V2, "Landlock version 2 (Linux 5.19)", "a player cannot move files between its own folders"),
    (ABI::V1, "Landlock (Linux 5.13, and enabled at boot)", "a player could read and write everywhere"),
];

/// Devices that every program expects, and that keep nothing.
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// The parts that this kernel lacks.
pub(super) fn missing() -> Vec<MissingProtection> {
    let lacking = PARTS.iter().take_while(|(abi, ..)| ruleset(*abi).is_err());
    lacking
        .map(|(_, part, risk)| MissingProtection { part: (*part).to_owned(), risk: (*risk).to_owned() })
        .collect()
}

/// A ruleset with all that a version has, or the reason why this kernel does not have it.
fn ruleset(abi: ABI) -> Result<landlock::RulesetCreated, String> {
    let said = |error: landlock::RulesetError| format!("Landlock: {error}");
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(abi))
        .map_err(said)?;
    if abi >= ABI::V4 {
        ruleset = ruleset.handle_access(AccessNet::from_all(abi)).map_err(said)?;
    }
    if abi >= ABI::V6 {
        ruleset = ruleset.scope(Scope::from_all(abi)).map_err(said)?;
    }
    ruleset.create().map_err(said)
}

/// Lets this thread read what is not hidden and write in the scratch folder, with the newest version there is.
pub(super) fn restrict(confinement: &Confinement, scratch: &Path) -> Result<(), String> {
    let Some((abi, mut rules)) =
        PARTS.iter().find_map(|(abi, ..)| ruleset(*abi).ok().map(|rules| (*abi, rules)))
    else {
        return Ok(());
    };
    let mut allow = |path: &Path, rights: BitFlags<AccessFs>| -> Result<(), String> {
        // What vanished meanwhile, or cannot be opened by us, the player cannot have either.
        let (Ok(fd), Ok(kind)) = (PathFd::new(path), fs::symlink_metadata(path)) else { return Ok(()) };
        let rights = if kind.is_dir() { rights } else { rights & AccessFs::from_file(abi) };
        let added = (&mut rules).add_rule(PathBeneath::new(fd, rights));
        added.map(|_| ()).map_err(|error| format!("Landlock, {}: {error}", path.display()))
    };
    // All devices are hidden: a disk can be read around every rule, and the terminal belongs to somebody else.
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

/// The largest folders and files that hold nothing hidden. Landlock can allow and not forbid: so everything beside
/// the way from the root down to a hidden path is allowed, and what is shown below a hidden one. Links are left out,
/// since what they name is allowed or hidden by its own path.
fn readable<'a>(hidden: impl Iterator<Item = &'a Path>, shown: &[PathBuf]) -> Vec<PathBuf> {
    let hidden: BTreeSet<PathBuf> = hidden.map(real).collect();
    let shown = shown.iter().map(|path| real(path));
    // What is shown and not hidden needs no word.
    let shown: BTreeSet<PathBuf> =
        shown.filter(|path| path.ancestors().any(|above| hidden.contains(above))).collect();
    let ways: BTreeSet<&Path> = hidden.union(&shown).flat_map(|path| path.ancestors().skip(1)).collect();
    let mut readable = Vec::new();
    let mut paths = vec![(PathBuf::from("/"), true)];
    while let Some((path, seen_above)) = paths.pop() {
        let seen = shown.contains(&path) || seen_above && !hidden.contains(&path);
        if ways.contains(path.as_path()) {
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
    if let Ok(found) = path.canonicalize() {
        return found;
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
    fn everything_beside_a_hidden_path_is_readable() {
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
        // A shown folder does not show what is hidden in it, nor one that everybody sees.
        check(&["b/two"], &["b", "", "a"], &["a", "b/one", "c"]);
        check(&["b/two", "b/two/own/cache"], &["b/two/own"], &["a", "b/one", "c"]);
        check(&["b/two", "b/two/own"], &["b/two/own/cache"], &["a", "b/one", "b/two/own/cache", "c"]);
        check(&["link"], &[], &["a", "b/one", "c"]);
        fs::remove_dir_all(&root).unwrap();
    }
}
