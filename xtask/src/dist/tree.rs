//! Files in memory, by their paths: what an archive is made of.

use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A file to hand out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Item {
    pub(crate) bytes: Vec<u8>,
    pub(crate) is_program: bool,
}

/// Files by their paths, which have no leading slash. The order is that of the paths.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tree {
    items: BTreeMap<String, Item>,
}

impl Item {
    pub(crate) fn mode(&self) -> u32 {
        if self.is_program { 0o755 } else { 0o644 }
    }
}

impl Tree {
    pub(crate) fn add(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.items.insert(path.into(), Item { bytes: bytes.into(), is_program: false });
    }

    pub(crate) fn add_program(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.items.insert(path.into(), Item { bytes: bytes.into(), is_program: true });
    }

    /// Puts a whole tree into a folder of this one.
    pub(crate) fn add_tree(&mut self, folder: &str, other: &Tree) {
        for (path, item) in &other.items {
            self.items.insert(format!("{folder}/{path}"), item.clone());
        }
    }

    /// Reads the files that a repository knows below a folder, so that nothing left lying there is handed out.
    pub(crate) fn read(root: &Path, folder: &str, known: &[String]) -> Result<Tree> {
        let mut tree = Tree::default();
        let prefix = format!("{folder}/");
        for path in known {
            if let Some(inside) = path.strip_prefix(&prefix) {
                let bytes = std::fs::read(root.join(path)).with_context(|| format!("cannot read {path}"))?;
                tree.add(inside, bytes);
            }
        }
        Ok(tree)
    }

    /// Writes all files below a folder.
    pub(crate) fn write(&self, folder: &Path) -> Result<()> {
        use std::os::unix::fs::PermissionsExt;
        for (path, item) in &self.items {
            let whole = folder.join(path);
            let fault = || format!("cannot write {}", whole.display());
            if let Some(parent) = whole.parent() {
                std::fs::create_dir_all(parent).with_context(fault)?;
            }
            std::fs::write(&whole, &item.bytes).with_context(fault)?;
            let mode = std::fs::Permissions::from_mode(item.mode());
            std::fs::set_permissions(&whole, mode).with_context(fault)?;
        }
        Ok(())
    }

    pub(crate) fn items(&self) -> impl Iterator<Item = (&str, &Item)> {
        self.items.iter().map(|(path, item)| (path.as_str(), item))
    }

    /// All folders, each before what is in it.
    pub(crate) fn folders(&self) -> BTreeSet<&str> {
        let paths = self.items.keys();
        paths.flat_map(|path| path.match_indices('/').map(|(end, _)| &path[..end])).collect()
    }

    /// The size of all files.
    pub(crate) fn n_bytes(&self) -> usize {
        self.items.values().map(|item| item.bytes.len()).sum()
    }
}
