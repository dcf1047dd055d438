//! Tests that run again under other conditions: a copy of the test program where any user can read it.

use crate::support::example;
use crate::zoo::zoo;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

/// A folder with the programs of the tests, removed when dropped.
pub(crate) struct TestCopy(PathBuf);

impl TestCopy {
    pub(crate) fn new(name: &str) -> TestCopy {
        let folder = env::temp_dir().canonicalize().unwrap();
        let copy = TestCopy(folder.join(format!("palestra-copy-{}-{name}", std::process::id())));
        for (from, to) in [
            (env::current_exe().unwrap(), "deps/it"),
            (example(), "examples/warden"),
            (zoo().to_owned(), "zoo/zoo"),
        ] {
            let to = copy.0.join(to);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(from, to).unwrap();
        }
        fs::create_dir(copy.temporary()).unwrap();
        fs::set_permissions(copy.temporary(), fs::Permissions::from_mode(0o777)).unwrap();
        copy
    }

    fn temporary(&self) -> PathBuf {
        self.0.join("tmp")
    }

    pub(crate) fn program(&self) -> PathBuf {
        self.0.join("deps/it")
    }

    /// Runs a command that calls the copy, and checks that this number of tests passed.
    #[track_caller]
    pub(crate) fn run(&self, mut command: Command, n_tests: usize) {
        command.current_dir("/").env("PALESTRA_TEST_ZOO", self.0.join("zoo/zoo"));
        let output = command.env("TMPDIR", self.temporary()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let passed = output.status.success() && text.contains(&format!("{n_tests} passed"));
        assert!(passed, "{text}{}", String::from_utf8_lossy(&output.stderr));
    }
}

impl Drop for TestCopy {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs tests again as an ordinary user. A test that is not started by root is that user's already.
#[track_caller]
pub(crate) fn run_as_ordinary_user(name: &str, args: &[&str], n_tests: usize) {
    const NOBODY: u32 = 65534;
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let copy = TestCopy::new(name);
    let mut command = Command::new(copy.program());
    command.args(args).uid(NOBODY).gid(NOBODY).env("HOME", "/nonexistent");
    copy.run(command, n_tests);
}
