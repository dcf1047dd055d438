//! The paths of files in the archive and in the Debian package.

use super::archive::gzip;
use super::deb;
use super::tree::Tree;
use anyhow::Result;

/// Path of the build for newer processors, where the other build looks for it.
pub(crate) const NEWER: &str = "libexec/palestra/palestra-x86-64-v3";

/// The content of a release, independent of the packaging.
#[derive(Clone, Default)]
pub(crate) struct Parts {
    pub(crate) version: String,
    /// Modification time of all files, in seconds since 1970.
    pub(crate) time: u64,
    /// The same in the format of RFC 5322.
    pub(crate) date: String,
    /// The programs for x86-64-v2 and x86-64-v3.
    pub(crate) older: Vec<u8>,
    pub(crate) newer: Vec<u8>,
    /// Manual pages by file name.
    pub(crate) manuals: Tree,
    /// Completions by the name of the shell.
    pub(crate) completions: Tree,
    /// Licenses, changelog and README, by file name.
    pub(crate) documents: Tree,
    pub(crate) examples: Tree,
    pub(crate) studies: Tree,
}

impl Parts {
    /// Name of the archive without its extension, and of the folder in it.
    pub(crate) fn name(&self) -> String {
        format!("palestra-{}-x86_64-linux", self.version)
    }
}

/// Both programs, at the paths that they have relative to each other everywhere.
pub(crate) fn programs(older: &[u8], newer: &[u8]) -> Tree {
    let mut tree = Tree::default();
    tree.add_program("bin/palestra", older);
    tree.add_program(NEWER, newer);
    tree
}

/// The files of the archive, without its top folder.
pub(crate) fn archive(parts: &Parts) -> Tree {
    let mut tree = programs(&parts.older, &parts.newer);
    tree.add_tree("share/man/man1", &parts.manuals);
    add_completions(&mut tree, "share", "site-functions", &parts.completions);
    tree.add_tree("share/doc/palestra", &parts.documents);
    tree.add_tree("share/doc/palestra/examples/players", &parts.examples);
    tree.add_tree("share/palestra/studies", &parts.studies);
    tree
}

/// The files of the Debian package, which has its own rules for documents and zsh completions.
pub(crate) fn debian(parts: &Parts) -> Result<Tree> {
    let mut tree = Tree::default();
    tree.add_tree("usr", &programs(&parts.older, &parts.newer));
    for (name, page) in parts.manuals.items() {
        tree.add(format!("usr/share/man/man1/{name}.gz"), gzip(&page.bytes)?);
    }
    add_completions(&mut tree, "usr/share", "vendor-completions", &parts.completions);
    let folder = "usr/share/doc/palestra";
    for (name, document) in parts.documents.items() {
        match name {
            // Covered by `copyright`.
            "LICENSE-MIT" | "LICENSE-APACHE" => {}
            "CHANGELOG.md" => tree.add(format!("{folder}/changelog.gz"), gzip(&document.bytes)?),
            _ => tree.add(format!("{folder}/{name}"), document.bytes.clone()),
        }
    }
    tree.add(format!("{folder}/copyright"), deb::copyright(&parts.documents));
    tree.add(format!("{folder}/changelog.Debian.gz"), gzip(deb::changelog(parts).as_bytes())?);
    tree.add_tree(&format!("{folder}/examples/players"), &parts.examples);
    tree.add_tree("usr/share/palestra/studies", &parts.studies);
    tree.add("usr/share/lintian/overrides/palestra", deb::OVERRIDES);
    Ok(tree)
}

/// Adds completions where each shell looks for them; those of shells without such a folder are in one folder.
fn add_completions(tree: &mut Tree, share: &str, zsh: &str, completions: &Tree) {
    for (shell, script) in completions.items() {
        let path = match shell {
            "bash" => "bash-completion/completions/palestra".to_owned(),
            "zsh" => format!("zsh/{zsh}/_palestra"),
            "fish" => "fish/vendor_completions.d/palestra.fish".to_owned(),
            "powershell" => "palestra/completions/_palestra.ps1".to_owned(),
            "elvish" => "palestra/completions/palestra.elv".to_owned(),
            _ => format!("palestra/completions/palestra.{shell}"),
        };
        tree.add(format!("{share}/{path}"), script.bytes.clone());
    }
}
