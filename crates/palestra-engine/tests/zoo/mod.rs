//! The program of the misbehaving engines, compiled when a test first needs it.

use std::collections::hash_map::DefaultHasher;
use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The path of the program.
pub(crate) fn zoo() -> &'static Path {
    static ZOO: OnceLock<PathBuf> = OnceLock::new();
    // A test that runs as another user has a copy that this user can read.
    if let Some(copy) = std::env::var_os("PALESTRA_TEST_ZOO") {
        return ZOO.get_or_init(|| copy.into());
    }
    ZOO.get_or_init(|| {
        compiled("zoo", &[("zoo.rs", include_str!("zoo.rs")), ("strange.rs", include_str!("strange.rs"))])
    })
}

/// The path of a program with these files, the first of which has its main function. Tests may run in separate
/// processes: one of them compiles while the others wait.
pub(crate) fn compiled(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    files.hash(&mut hasher);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{:016x}", hasher.finish()));
    fs::create_dir_all(&folder).unwrap();
    let (draft, program) = (folder.join("draft"), folder.join(name));
    let lock = File::create(folder.join("lock")).unwrap();
    lock.lock().unwrap();
    if !program.exists() {
        for (name, text) in files {
            fs::write(folder.join(name), text).unwrap();
        }
        let compiled = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
            .args(["--edition", "2024", "-O", "-D", "warnings", "-o"])
            .args([draft.as_path(), &folder.join(files[0].0)])
            .status();
        assert!(compiled.unwrap().success(), "{name} does not compile");
        fs::rename(draft, &program).unwrap();
    }
    program
}
