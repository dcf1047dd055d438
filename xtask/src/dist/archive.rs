//! Reproducible archives: sorted entries, uid and gid 0, one modification time.

use super::tree::Tree;
use anyhow::{Context, Result};
use flate2::{Compression, GzBuilder};
use std::io::Write;
use tar::{Builder, EntryType, Header};

/// A tar archive with all files below `prefix`, which is empty or ends with a slash.
pub(crate) fn tar(tree: &Tree, prefix: &str, time: u64) -> Result<Vec<u8>> {
    let mut archive = Builder::new(Vec::new());
    let mut add = |path: &str, kind: EntryType, mode: u32, bytes: &[u8]| {
        let mut header = Header::new_gnu();
        // Not `set_path`, which would remove the `./` that dpkg expects.
        let field = header.as_old_mut().name.get_mut(..path.len());
        field
            .with_context(|| format!("{path} is too long for a tar archive"))?
            .copy_from_slice(path.as_bytes());
        header.set_entry_type(kind);
        header.set_mode(mode);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(time);
        header.set_size(bytes.len() as u64);
        header.set_cksum();
        archive.append(&header, bytes).context("cannot write to memory")
    };
    if !prefix.is_empty() {
        add(prefix, EntryType::Directory, 0o755, &[])?;
    }
    for folder in tree.folders() {
        add(&format!("{prefix}{folder}/"), EntryType::Directory, 0o755, &[])?;
    }
    for (path, item) in tree.items() {
        add(&format!("{prefix}{path}"), EntryType::Regular, item.mode(), &item.bytes)?;
    }
    Ok(archive.into_inner()?)
}

/// Compresses like `gzip -9n`: without a name and a time.
pub(crate) fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut writer = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    writer.write_all(bytes)?;
    Ok(writer.finish()?)
}
