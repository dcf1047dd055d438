//! The licenses of third-party code in the programs.

use crate::tools::capture;
use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const INTRO: &str = "\
# Third-party licenses

The programs contain the libraries below, each under its license.
";

/// Linked code other than crates.
const SYSTEM: &str = "\
## Rust and the C library

The programs contain parts of the Rust standard library (MIT OR Apache-2.0, the Rust project contributors).
They also contain parts of the GNU C Library, under the GNU Lesser General Public License 2.1 or later.
Its source is available at https://www.gnu.org/software/libc/ and from Linux distributions.
To use another version of it, build Palestra from its source: `cargo xtask dist` links the programs again.
";

/// Path of the license of the C library on Debian.
const LESSER_LICENSE: &str = "/usr/share/common-licenses/LGPL-2.1";

/// A library that is linked into the program.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Library {
    name: String,
    version: String,
    license: String,
    /// License and notice texts in its source.
    texts: Vec<String>,
}

/// The page, from the metadata of cargo.
pub(crate) fn page(metadata: &Value) -> Result<String> {
    let mut page = format!("{INTRO}\n");
    let libraries = libraries(metadata)?;
    for library in &libraries {
        let _ = writeln!(page, "- {} {} ({})", library.name, library.version, library.license);
    }
    let mut users: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for library in &libraries {
        for text in &library.texts {
            users.entry(text).or_default().push(&library.name);
        }
    }
    let mut texts: Vec<(Vec<&str>, &str)> = users.into_iter().map(|(text, names)| (names, text)).collect();
    texts.sort();
    let _ = write!(page, "\n{SYSTEM}");
    if let Ok(out) = capture(Command::new("ldd").arg("--version")) {
        let _ = writeln!(page, "Version: {}.", out.0.lines().next().unwrap_or_default());
    }
    for (mut names, text) in texts {
        names.dedup();
        let _ = write!(page, "\n## {}\n\n```text\n{}\n```\n", names.join(", "), text.trim_end());
    }
    if let Ok(text) = std::fs::read_to_string(LESSER_LICENSE) {
        let _ = write!(page, "\n## GNU C Library\n\n```text\n{}\n```\n", text.trim_end());
    }
    Ok(page)
}

/// All third-party crates that are linked into the program, sorted.
fn libraries(metadata: &Value) -> Result<Vec<Library>> {
    let by_id = |list: &'static str| {
        let list = if list == "nodes" { &metadata["resolve"]["nodes"] } else { &metadata[list] };
        let entries = list.as_array().into_iter().flatten();
        entries.filter_map(|entry| Some((entry["id"].as_str()?, entry))).collect::<BTreeMap<_, _>>()
    };
    let (nodes, packages) = (by_id("nodes"), by_id("packages"));
    let own = packages.iter().find(|(_, package)| package["name"] == "palestra");
    let mut queue = vec![*own.context("cargo knows no package palestra")?.0];
    let mut seen: BTreeSet<&str> = queue.iter().copied().collect();
    while let Some(id) = queue.pop() {
        let is_linked = |kind: &Value| kind["kind"].is_null();
        for dependency in nodes.get(id).and_then(|node| node["deps"].as_array()).into_iter().flatten() {
            let kinds = dependency["dep_kinds"].as_array().into_iter().flatten();
            let id = dependency["pkg"].as_str().unwrap_or_default();
            let is_macro = packages.get(id).is_some_and(|package| is_macro(package));
            if kinds.into_iter().any(is_linked) && !is_macro && seen.insert(id) {
                queue.push(id);
            }
        }
    }
    let mut libraries = Vec::new();
    for package in
        seen.iter().filter_map(|id| packages.get(id)).filter(|package| !package["source"].is_null())
    {
        let field = |key: &str| package[key].as_str().unwrap_or("unknown").to_owned();
        let manifest = field("manifest_path");
        let folder = Path::new(&manifest).parent().context("a manifest path without a folder")?;
        let texts = license_texts(folder)?;
        libraries.push(Library {
            name: field("name"),
            version: field("version"),
            license: field("license"),
            texts,
        });
    }
    libraries.sort();
    Ok(libraries)
}

/// Whether a package is a procedural macro, which is not linked into the program.
fn is_macro(package: &Value) -> bool {
    let targets = package["targets"].as_array().into_iter().flatten();
    targets.into_iter().any(|target| target["kind"] == serde_json::json!(["proc-macro"]))
}

fn license_texts(folder: &Path) -> Result<Vec<String>> {
    let mut texts = BTreeMap::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        let is_notice = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "COPYRIGHT"]
            .iter()
            .any(|prefix| name.starts_with(prefix));
        if is_notice && path.is_file() {
            let text =
                std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            // Equal texts must not differ in their line endings.
            texts.insert(name, text.replace("\r\n", "\n").trim().to_owned());
        }
    }
    Ok(texts.into_values().filter(|text| !text.is_empty()).collect())
}
