//! The Debian package: an `ar` archive of three files.

use super::archive::{gzip, tar};
use super::layout::{Parts, debian};
use super::sums::hexadecimal;
use super::tree::Tree;
use anyhow::{Result, ensure};
use md5::{Digest, Md5};

/// Debian revision: the number of times that this version was packed.
const REVISION: u32 = 1;

/// The project has no mail address.
const MAINTAINER: &str = "The Palestra developers <palestra@localhost>";

/// Overrides of lintian: the programs are static on purpose, a training ground is no game, and there is no address.
pub(crate) const OVERRIDES: &str = "\
palestra: shared-library-lacks-prerequisites [usr/bin/palestra]
palestra: shared-library-lacks-prerequisites [usr/libexec/palestra/palestra-x86-64-v3]
palestra: package-section-games-but-contains-no-game
palestra: bogus-mail-host Maintainer palestra@localhost
palestra: bogus-mail-host-in-debian-changelog *
palestra: initial-upload-closes-no-bugs *
";

const DESCRIPTION: &str = "\
training ground for board-game players
 Palestra tunes the weights of evaluations of board-game players, measures how
 much better a tuned player is, stores every run, and explains why each move
 was chosen. It runs tournaments of built-in players and programs in any
 language, and has a web page for watching and playing.
";

const COPYRIGHT: &str = "\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: palestra
Comment: The licenses of the libraries in the programs are in THIRD-PARTY.md.

Files: *
Copyright: 2026 The Palestra developers
License: Expat or Apache-2.0

License: Apache-2.0
 On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.

License: Expat
";

/// File name of the package.
pub(crate) fn file_name(version: &str) -> String {
    format!("palestra_{version}-{REVISION}_amd64.deb")
}

/// The package file.
pub(crate) fn package(parts: &Parts) -> Result<Vec<u8>> {
    let tree = debian(parts)?;
    let mut metadata = Tree::default();
    metadata.add("control", control(&parts.version, tree.n_bytes()));
    metadata.add("md5sums", md5sums(&tree));
    let metadata = gzip(&tar(&metadata, "./", parts.time)?)?;
    let data = gzip(&tar(&tree, "./", parts.time)?)?;
    ar(&[("debian-binary", b"2.0\n"), ("control.tar.gz", &metadata), ("data.tar.gz", &data)], parts.time)
}

/// The control file.
pub(crate) fn control(version: &str, n_bytes: usize) -> String {
    format!(
        "Package: palestra\n\
         Version: {version}-{REVISION}\n\
         Architecture: amd64\n\
         Maintainer: {MAINTAINER}\n\
         Installed-Size: {}\n\
         Section: games\n\
         Priority: optional\n\
         Description: {DESCRIPTION}",
        n_bytes.div_ceil(1024)
    )
}

fn md5sums(tree: &Tree) -> String {
    let line = |(path, item): (&str, &super::tree::Item)| {
        format!("{}  {path}\n", hexadecimal(&Md5::digest(&item.bytes)))
    };
    tree.items().map(line).collect()
}

/// The copyright file, with the text of the MIT license.
pub(crate) fn copyright(documents: &Tree) -> String {
    let mut text = COPYRIGHT.to_owned();
    let license = documents.items().find(|(name, _)| *name == "LICENSE-MIT");
    let license = license.map(|(_, item)| String::from_utf8_lossy(&item.bytes).into_owned());
    // Without the title and the copyright line, which are above.
    let body = license.as_deref().and_then(|text| text.find("Permission ").map(|start| &text[start..]));
    for line in body.unwrap_or_default().trim_end().lines() {
        text.push_str(&if line.is_empty() { " .\n".to_owned() } else { format!(" {line}\n") });
    }
    text
}

/// The changelog of the package, which only refers to that of the program.
pub(crate) fn changelog(parts: &Parts) -> String {
    format!(
        "palestra ({}-{REVISION}) unstable; urgency=medium\n\n  * See changelog.gz.\n\n -- {MAINTAINER}  {}\n",
        parts.version, parts.date
    )
}

/// An `ar` archive: a magic line, then for each file a header of 60 bytes and its content, padded to an even length.
fn ar(files: &[(&str, &[u8])], time: u64) -> Result<Vec<u8>> {
    let mut archive = b"!<arch>\n".to_vec();
    for (name, bytes) in files {
        let header = format!("{name:<16}{time:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 100_644, bytes.len());
        ensure!(header.len() == 60, "{name} does not fit into an ar archive");
        archive.extend(header.as_bytes());
        archive.extend(*bytes);
        if bytes.len() % 2 == 1 {
            archive.push(b'\n');
        }
    }
    Ok(archive)
}
