//! Confinement of files, signals and ports, with Landlock.

use super::roots::{DEVICES, real};
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

/// The versions in the order of what an engine could do without them, the worst first.
const BY_RISK: [ABI; 6] = [ABI::V1, ABI::V3, ABI::V6, ABI::V5, ABI::V4, ABI::V2];

/// The versions that this kernel lacks, the most important first.
pub(super) fn missing() -> Vec<MissingProtection> {
    missing_where(|abi| ruleset(abi).is_ok())
}

/// The same for a kernel that has the versions for which `has` is true.
fn missing_where(has: impl Fn(ABI) -> bool) -> Vec<MissingProtection> {
    let mut lacking: Vec<_> = VERSIONS.iter().take_while(|(abi, ..)| !has(*abi)).collect();
    lacking.sort_by_key(|(abi, ..)| BY_RISK.iter().position(|one| one == abi));
    let protection = |(_, part, risk): &(ABI, &str, &str)| MissingProtection {
        part: (*part).to_owned(),
        risk: (*risk).to_owned(),
    };
    lacking.into_iter().map(protection).collect()
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

/// Restricts this thread to reading these files and folders, without what is hidden in them, and to writing in the
/// scratch folder, with the newest version that the kernel has.
pub(super) fn restrict(
    confinement: &Confinement,
    roots: &BTreeSet<PathBuf>,
    proc: &[PathBuf],
    scratch: &Path,
) -> Result<(), String> {
    let Some((abi, mut rules)) =
        VERSIONS.iter().find_map(|(abi, ..)| ruleset(*abi).ok().map(|rules| (*abi, rules)))
    else {
        return Ok(());
    };
    let mut allow = |path: &Path, rights: BitFlags<AccessFs>| -> Result<(), String> {
        // A path that was removed meanwhile, or that this process cannot open, gets no rule.
        let (Ok(fd), Ok(kind)) = (PathFd::new(path), fs::metadata(path)) else { return Ok(()) };
        let rights = if kind.is_dir() { rights } else { rights & AccessFs::from_file(abi) };
        let added = (&mut rules).add_rule(PathBeneath::new(fd, rights));
        added.map(|_| ()).map_err(|error| format!("Landlock, {}: {error}", path.display()))
    };
    for path in readable(roots, &confinement.hidden, &confinement.shown).iter().chain(proc) {
        allow(path, AccessFs::from_read(abi))?;
    }
    for path in DEVICES {
        allow(Path::new(path), AccessFs::from_read(abi) | AccessFs::WriteFile)?;
    }
    allow(&real(scratch), AccessFs::from_all(abi))?;
    rules.restrict_self().map(|_| ()).map_err(|error| format!("Landlock: {error}"))
}

/// The largest folders and files among the roots that contain nothing hidden. Landlock can only allow, so the result
/// has every sibling of the folders from a root down to a hidden path, and what is shown below a hidden path. Links in
/// a folder are left out, since their target is allowed or hidden by its own path.
fn readable(roots: &BTreeSet<PathBuf>, hidden: &[PathBuf], shown: &[PathBuf]) -> Vec<PathBuf> {
    let hidden: BTreeSet<PathBuf> = hidden.iter().map(|path| real(path)).collect();
    let shown: BTreeSet<PathBuf> = shown.iter().map(|path| real(path)).collect();
    let roots: BTreeSet<PathBuf> = roots.iter().map(|path| real(path)).collect();
    let ancestors: BTreeSet<&Path> = hidden.iter().flat_map(|path| path.ancestors().skip(1)).collect();
    let is_hidden_above = |root: &Path| root.ancestors().any(|above| hidden.contains(above));
    let mut readable = Vec::new();
    let mut paths: Vec<(PathBuf, bool)> =
        roots.iter().map(|root| (root.clone(), !is_hidden_above(root))).collect();
    while let Some((path, seen_above)) = paths.pop() {
        let seen = shown.contains(&path) || seen_above && !hidden.contains(&path);
        if !seen {
            continue;
        }
        if ancestors.contains(path.as_path()) {
            let entries = fs::read_dir(&path).into_iter().flatten().flatten();
            let plain = entries.filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink()));
            paths.extend(plain.map(|entry| (entry.path(), seen)));
        } else {
            readable.push(path);
        }
    }
    readable.sort();
    readable.dedup();
    readable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_without_hidden_paths_are_readable() {
        let root = real(&std::env::temp_dir()).join(format!("palestra-readable-{}", std::process::id()));
        for folder in ["a/deep", "b/one", "b/two/own/cache", "b/two/other", "c"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        std::os::unix::fs::symlink(root.join("b/two"), root.join("link")).unwrap();
        let check = |roots: &[&str], hidden: &[&str], shown: &[&str], expected: &[&str]| {
            let below = |names: &[&str]| names.iter().map(|name| root.join(name)).collect::<Vec<_>>();
            let roots = below(roots).into_iter().chain(below(shown)).collect();
            let seen = readable(&roots, &below(hidden), &below(shown));
            assert_eq!(seen, below(expected), "{roots:?} {hidden:?} {shown:?}");
        };
        check(&["a", "c"], &[], &[], &["a", "c"]);
        check(&["a"], &["b/two"], &["b/two/own"], &["a", "b/two/own"]);
        check(&[""], &["b/two", "store", "b/two/deeper"], &[], &["a", "b/one", "c"]);
        // A root in a hidden folder is not readable unless it is shown.
        check(&["b/two/other"], &["b/two"], &["b/two/own"], &["b/two/own"]);
        // A shown folder does not show hidden paths in it.
        check(&["a"], &["b/two", "c"], &["b"], &["a", "b/one"]);
        check(&[], &["b/two", "b/two/own/cache"], &["b/two/own"], &[]);
        check(&[], &["b/two", "b/two/own"], &["b/two/own"], &["b/two/own"]);
        check(&["link"], &[], &[], &["b/two"]);
        fs::remove_dir_all(&root).unwrap();
    }
}

#[cfg(test)]
mod missing_tests {
    use super::*;

    #[test]
    fn the_most_important_missing_part_comes_first() {
        let first = |newest: Option<ABI>| {
            let missing = missing_where(|abi| newest.is_some_and(|newest| abi <= newest));
            (missing.len(), missing.into_iter().next().map(|protection| protection.part))
        };
        assert_eq!(first(Some(ABI::V6)), (0, None));
        // Linux 6.8 and 6.1.
        assert_eq!(first(Some(ABI::V4)), (2, Some("Landlock version 6 (Linux 6.12)".to_owned())));
        assert_eq!(first(Some(ABI::V2)), (4, Some("Landlock version 3 (Linux 6.2)".to_owned())));
        assert_eq!(first(None), (6, Some("Landlock (Linux 5.13, and enabled at boot)".to_owned())));
    }
}
