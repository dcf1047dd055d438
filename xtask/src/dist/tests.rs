//! Tests of packing, with small artificial files.

use super::layout::{Parts, archive as archive_layout, debian};
use super::tree::Tree;
use super::{archive, build, deb, pack};
use crate::tools::{capture, works};
use std::path::PathBuf;
use std::process::Command;

fn tree(files: &[(&str, &str)]) -> Tree {
    let mut tree = Tree::default();
    for (path, text) in files {
        tree.add(*path, *text);
    }
    tree
}

fn parts() -> Parts {
    Parts {
        version: "1.2.3".to_owned(),
        time: 1_700_000_000,
        date: "Tue, 14 Nov 2023 22:13:20 +0000".to_owned(),
        older: b"older".to_vec(),
        newer: b"newer".to_vec(),
        manuals: tree(&[("palestra.1", ".TH palestra"), ("palestra-tune.1", ".TH palestra-tune")]),
        completions: tree(&[
            ("bash", "b"),
            ("zsh", "z"),
            ("fish", "f"),
            ("elvish", "e"),
            ("powershell", "p"),
        ]),
        documents: tree(&[
            ("CHANGELOG.md", "# Changelog"),
            ("LICENSE-APACHE", "Apache"),
            ("LICENSE-MIT", "MIT License\n\nCopyright\n\nPermission is granted\n\nto all\n"),
            ("README.md", "# Palestra"),
            ("THIRD-PARTY.md", "# Third"),
        ]),
        examples: tree(&[("python/bot.py", "print()")]),
        studies: tree(&[("connect-c/study.toml", "title = 1")]),
    }
}

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("palestra-dist-{name}-{}", std::process::id()));
    super::remove(&folder).unwrap();
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn paths(tree: &Tree) -> Vec<&str> {
    tree.items().map(|(path, _)| path).collect()
}

#[test]
fn the_archive_has_all_files() {
    let expected = [
        "bin/palestra",
        "libexec/palestra/palestra-x86-64-v3",
        "share/bash-completion/completions/palestra",
        "share/doc/palestra/CHANGELOG.md",
        "share/doc/palestra/LICENSE-APACHE",
        "share/doc/palestra/LICENSE-MIT",
        "share/doc/palestra/README.md",
        "share/doc/palestra/THIRD-PARTY.md",
        "share/doc/palestra/examples/players/python/bot.py",
        "share/fish/vendor_completions.d/palestra.fish",
        "share/man/man1/palestra-tune.1",
        "share/man/man1/palestra.1",
        "share/palestra/completions/_palestra.ps1",
        "share/palestra/completions/palestra.elv",
        "share/palestra/studies/connect-c/study.toml",
        "share/zsh/site-functions/_palestra",
    ];
    assert_eq!(paths(&archive_layout(&parts())), expected);
}

#[test]
fn a_tar_is_sorted_and_owned_by_root() {
    let bytes = archive::tar(&archive_layout(&parts()), "p/", 1_700_000_000).unwrap();
    let mut read = tar::Archive::new(bytes.as_slice());
    let mut names = Vec::new();
    for entry in read.entries().unwrap() {
        let entry = entry.unwrap();
        let header = entry.header();
        assert_eq!(
            (header.uid().unwrap(), header.gid().unwrap(), header.mtime().unwrap()),
            (0, 0, 1_700_000_000)
        );
        let path = entry.path().unwrap().display().to_string();
        let is_program = path == "p/bin/palestra" || path.ends_with("-v3");
        let mode = if is_program || header.entry_type().is_dir() { 0o755 } else { 0o644 };
        assert_eq!(header.mode().unwrap(), mode, "{path}");
        names.push(path);
    }
    assert_eq!(names[..3], ["p/", "p/bin/", "p/libexec/"]);
    let first_file = names.iter().position(|name| !name.ends_with('/')).unwrap();
    assert!(names[..first_file].is_sorted() && names[first_file..].is_sorted(), "{names:?}");
}

#[test]
fn the_same_files_give_the_same_bytes() {
    let packed = pack(&parts(), "FROM scratch").unwrap();
    assert_eq!(packed, pack(&parts(), "FROM scratch").unwrap());
    let names =
        ["Containerfile", "SHA256SUMS", "palestra-1.2.3-x86_64-linux.tar.gz", "palestra_1.2.3-1_amd64.deb"];
    assert_eq!(paths(&packed), names);
    let other = Parts { newer: b"newest".to_vec(), ..parts() };
    assert_ne!(packed, pack(&other, "FROM scratch").unwrap());
}

#[test]
fn sha256sum_accepts_the_sums() {
    let folder = folder("sums");
    pack(&parts(), "FROM scratch").unwrap().write(&folder).unwrap();
    let (stdout, _) =
        capture(Command::new("sha256sum").args(["-c", "--strict", "SHA256SUMS"]).current_dir(&folder))
            .unwrap();
    assert_eq!(stdout.lines().filter(|line| line.ends_with(": OK")).count(), 3, "{stdout}");
    std::fs::write(folder.join("Containerfile"), "FROM elsewhere").unwrap();
    assert!(!works(Command::new("sha256sum").args(["-c", "SHA256SUMS"]).current_dir(&folder)));
    super::remove(&folder).unwrap();
}

#[test]
fn a_package_has_control_data_and_files() {
    let control = deb::control("1.2.3", 1025);
    for line in [
        "Package: palestra",
        "Version: 1.2.3-1",
        "Architecture: amd64",
        "Installed-Size: 2",
        "Section: games",
    ] {
        assert!(control.lines().any(|found| found == line), "{line}: {control}");
    }
    assert!(!control.contains("Depends") && control.ends_with(".\n"));
    let tree = debian(&parts()).unwrap();
    let paths = paths(&tree);
    for expected in [
        "usr/bin/palestra",
        "usr/libexec/palestra/palestra-x86-64-v3",
        "usr/share/doc/palestra/changelog.gz",
        "usr/share/doc/palestra/copyright",
        "usr/share/man/man1/palestra.1.gz",
        "usr/share/zsh/vendor-completions/_palestra",
    ] {
        assert!(paths.contains(&expected), "{expected}: {paths:?}");
    }
    assert!(!paths.iter().any(|path| path.contains("LICENSE")), "{paths:?}");
    assert!(deb::copyright(&parts().documents).ends_with("\n Permission is granted\n .\n to all\n"));
}

#[test]
fn dpkg_reads_a_package() {
    if !works(Command::new("dpkg-deb").arg("--version")) {
        println!("NOT TESTED: that needs dpkg-deb");
        return;
    }
    let folder = folder("deb");
    pack(&parts(), "FROM scratch").unwrap().write(&folder).unwrap();
    let dpkg = |args: &[&str]| capture(Command::new("dpkg-deb").args(args).current_dir(&folder)).unwrap().0;
    let file = "palestra_1.2.3-1_amd64.deb";
    assert_eq!(dpkg(&["-f", file, "Version"]), "1.2.3-1\n");
    assert!(dpkg(&["-c", file]).contains("./usr/bin/palestra"));
    dpkg(&["-R", file, "root"]);
    assert!(works(Command::new("md5sum").args(["-c", "DEBIAN/md5sums"]).current_dir(folder.join("root"))));
    super::remove(&folder).unwrap();
}

/// The test program itself is dynamically linked.
#[test]
fn dynamic_linking_is_detected() {
    let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
    assert!(!build::is_static(&own) && !build::is_static(b"#!/bin/sh") && !build::is_static(b""));
}
