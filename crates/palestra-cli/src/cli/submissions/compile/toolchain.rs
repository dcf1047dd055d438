//! Finds compilers, with what they need to run confined.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// A compiler.
#[derive(Clone, Debug)]
pub(super) struct FoundTool {
    pub(super) program: PathBuf,
    /// Folder that it belongs to and must be able to read, where that is not one of the system.
    pub(super) installation: Option<PathBuf>,
    pub(super) environment: Vec<(String, String)>,
}

/// The compilers of this machine.
#[derive(Debug, Default)]
pub(super) struct Toolchain {
    /// The installation of Rust that `rustc` belongs to.
    rust: OnceLock<Option<PathBuf>>,
}

impl Toolchain {
    /// A compiler by its name; `None` where it is not installed.
    pub(super) fn find(&self, name: &str) -> Option<FoundTool> {
        let program = in_path(name)?;
        let plain = FoundTool { program, installation: None, environment: Vec::new() };
        if !["rustc", "cargo"].contains(&name) {
            return Some(plain);
        }
        // What rustup puts in PATH is not the compiler but looks for it in the user's home.
        let Some(root) = self.rust.get_or_init(rust_root) else { return Some(plain) };
        let (rustc, program) = (root.join("bin/rustc"), root.join("bin").join(name));
        if root.starts_with("/usr") || !program.is_file() {
            return Some(plain);
        }
        let environment = vec![("RUSTC".to_owned(), rustc.display().to_string())];
        Some(FoundTool { program, installation: Some(root.clone()), environment })
    }
}

fn in_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// The folder that `rustc` reports. It is asked in the root folder, where no submission can choose another version.
fn rust_root() -> Option<PathBuf> {
    let mut command = Command::new("rustc");
    command.args(["--print", "sysroot"]).current_dir("/").stdin(Stdio::null());
    let output = command.output().ok()?;
    let root = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| Path::new(root.trim()).to_owned())
}
