//! Files in memory by path, the content of an archive.

use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A file of a release.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Item {
    pub(crate) bytes: Vec<u8>,
    pub(crate) is_program: bool,
}

/// Files by path (without a leading slash), in the order of the paths.
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

    /// Adds all files of another tree below a folder.
    pub(crate) fn add_tree(&mut self, folder: &str, other: &Tree) {
        for (path, item) in &other.items {
            self.items.insert(format!("{folder}/{path}"), item.clone());
        }
    }

    /// Reads the files below a folder that git tracks, so that stray files do not become part of a release.
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
            let context = || format!("cannot write {}", whole.display());
            if let Some(parent) = whole.parent() {
                std::fs::create_dir_all(parent).with_context(context)?;
            }
            std::fs::write(&whole, &item.bytes).with_context(context)?;
            let mode = std::fs::Permissions::from_mode(item.mode());
            std::fs::set_permissions(&whole, mode).with_context(context)?;
        }
        Ok(())
    }

    pub(crate) fn items(&self) -> impl Iterator<Item = (&str, &Item)> {
        self.items.iter().map(|(path, item)| (path.as_str(), item))
    }

    /// All folders, parents before children.
    pub(crate) fn folders(&self) -> BTreeSet<&str> {
        let paths = self.items.keys();
        paths.flat_map(|path| path.match_indices('/').map(|(end, _)| &path[..end])).collect()
    }

    /// Total size of all files in bytes.
    pub(crate) fn n_bytes(&self) -> usize {
        self.items.values().map(|item| item.bytes.len()).sum()
    }
}
