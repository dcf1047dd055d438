//! The processes of a browser: a driver, the browser that it starts, and a shell that ends both.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Command that installs the browser, for the error message.
const INSTALL: &str = "apt-get install -y --no-install-recommends chromium chromium-driver fonts-dejavu-core";

/// Kills the process group at the end of its input. The pipe closes even if the test process is killed.
const LEASH: &str = "chromedriver --port=0 </dev/null & read -r nothing; kill -9 0";

/// A WebDriver server in its own process group.
pub(super) struct Driver {
    shell: Child,
    /// Profile folder of the browser. No other process has this path in its command line.
    pub(super) profile: PathBuf,
    pub(super) address: String,
}

impl Driver {
    pub(super) fn start() -> Driver {
        let folder =
            std::env::temp_dir().join(format!("palestra-browser-{}-{}", std::process::id(), number()));
        let profile = folder.join("profile");
        fs::create_dir_all(&profile).unwrap();
        let log = folder.join("driver.log");
        let output = fs::File::create(&log).unwrap();
        let shell = Command::new("sh")
            .args(["-c", LEASH])
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(output.try_clone().unwrap())
            .stderr(output)
            .spawn()
            .unwrap();
        let mut driver = Driver { shell, profile, address: String::new() };
        driver.address = format!("http://127.0.0.1:{}", port(&log));
        driver
    }

    /// Command lines of the running processes of this browser.
    pub(super) fn living(profile: &Path) -> Vec<String> {
        let wanted = profile.to_str().unwrap();
        let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
        let lines = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
        let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
        lines.filter(|line| line.contains(wanted)).collect()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        let _ = self.shell.wait();
        let began = Instant::now();
        while !Driver::living(&self.profile).is_empty() && began.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = fs::remove_dir_all(self.profile.parent().unwrap());
    }
}

/// A number that is unique within this process.
fn number() -> usize {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Port of the driver, read from its log.
fn port(log: &Path) -> u16 {
    let began = Instant::now();
    loop {
        let said = fs::read_to_string(log).unwrap();
        let found = said.lines().find_map(|line| line.split("successfully on port ").nth(1));
        if let Some(port) = found.and_then(|text| text.trim_end_matches('.').parse().ok()) {
            return port;
        }
        let is_missing = said.contains("not found");
        assert!(!is_missing, "no browser: cargo xtask test installs it, or type: {INSTALL}");
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "the driver of the browser does not start: {said}"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}
