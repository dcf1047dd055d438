//! `palestra serve` on the command line: addresses, refusals, signals, and work started from the page.

use crate::events::Place;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running `palestra serve`.
struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    fn start(place: &Place, words: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_palestra"))
            .args(["serve", "--json", "--no-browser", "--listen", "127.0.0.1:0"])
            .args(words)
            .env_remove("PALESTRA_TOKEN")
            .current_dir(&place.0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).unwrap();
        let address = said["address"].as_str().unwrap();
        let address = address.strip_prefix("http://").unwrap().trim_end_matches('/').parse().unwrap();
        Server { child, address }
    }

    fn connect(&self, request: &str) -> TcpStream {
        let mut socket = TcpStream::connect(self.address).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        socket.write_all(request.as_bytes()).unwrap();
        socket
    }

    fn get(&self, path: &str) -> String {
        let host = self.address;
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        let mut answer = String::new();
        self.connect(&request).read_to_string(&mut answer).unwrap();
        answer
    }

    /// Sends a form as a page does; returns the status and the `Location` header.
    fn post(&self, path: &str, form: &str) -> (u16, String) {
        let (host, length) = (self.address, form.len());
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Length: {length}\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n\r\n{form}"
        );
        let mut answer = String::new();
        self.connect(&request).read_to_string(&mut answer).unwrap();
        let status = answer[9..12].parse().unwrap();
        let location = answer.lines().find_map(|line| line.strip_prefix("location: ")).unwrap_or_default();
        (status, location.to_owned())
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    /// Sends a signal; returns the exit code and the time until the exit.
    fn end(mut self, signal: &str) -> (Option<i32>, Duration) {
        let began = Instant::now();
        self.signal(signal);
        (self.child.wait().unwrap().code(), began.elapsed())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// State and number of games of a run.
fn state(place: &Place, name: &str) -> (String, u64) {
    let runs = place.run(&["runs", "--json"]).stdout;
    let rows = runs.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let row = rows.into_iter().find(|row| row["run"] == name);
    row.map_or_else(Default::default, |row| {
        (row["state"].as_str().unwrap().to_owned(), row["games"].as_u64().unwrap())
    })
}

fn wait_for(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(90), "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn form(plan: &str) -> String {
    plan.bytes().fold("plan=".to_owned(), |form, byte| form + format!("%{byte:02X}").as_str())
}

#[test]
fn it_says_where_it_is_and_ends_when_asked() {
    let place = Place::new("serve-signals");
    for signal in ["-INT", "-TERM"] {
        let server = Server::start(&place, &[]);
        assert!(server.get("/").starts_with("HTTP/1.1 200"));
        assert!(server.get("/metrics").starts_with("HTTP/1.1 404"));
        let host = server.address;
        let mut stream = server.connect(&format!("GET /live/home HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        let mut begin = [0; 12];
        stream.read_exact(&mut begin).unwrap();
        assert_eq!(&begin, b"HTTP/1.1 200");
        let (code, took) = server.end(signal);
        assert_eq!(code, Some(0), "{signal}");
        assert!(took < Duration::from_secs(2), "{signal}: {took:?}");
        let mut rest = String::new();
        stream.read_to_string(&mut rest).unwrap();
    }
}

#[test]
fn what_cannot_be_served_is_refused() {
    let place = Place::new("serve-refusals");
    let holder = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = holder.local_addr().unwrap().to_string();
    let cases: [(&[&str], i32, &str); 6] = [
        (&["--listen", "0.0.0.0:0"], 2, "or --token SECRET"),
        (&["--listen", "[::]:0"], 2, "or --token SECRET"),
        (&["--listen", "0.0.0.0:0", "--token", "short"], 2, "at least 8 letters"),
        (&["--listen", "127.0.0.1:0", "--token", "with a space in it"], 2, "at least 8 letters"),
        (&["--listen", "nowhere"], 2, "--listen"),
        (&["--listen", &taken], 1, "cannot listen on"),
    ];
    for (words, code, said) in cases {
        let ran = place.run(&[&["serve", "--no-browser"], words].concat());
        assert_eq!(ran.code, Some(code), "{words:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{words:?}: {}", ran.stderr);
        assert!(!ran.stderr.contains("with a space in it"), "a secret is not repeated");
    }
}

/// Takes long enough to be stopped.
const LONG: &str = "game = \"connect:7x6x4\"\nplayer = \"greedy/lines\"\nopening_plies = 4\npairs = 2\n[budget]\ngenerations = 60\n[test]\npairs = 100\n";
const NAME: &str = "cmaes-connect-7x6x4-1";

#[test]
fn a_run_is_started_stopped_and_gone_on_with() {
    let place = Place::new("serve-work");
    let server = Server::start(&place, &["--metrics"]);
    assert_eq!(server.post("/tune", &form(LONG)), (303, format!("/run/{NAME}")));
    wait_for("no games", || state(&place, NAME).1 > 0);
    assert!(server.get("/metrics").contains("palestra_work_running 1"));
    assert_eq!(server.post("/runs/stop", &format!("run={NAME}")).0, 303);
    wait_for("it goes on", || state(&place, NAME).0 == "interrupted");
    wait_for("the process stays", || server.get("/metrics").contains("palestra_work_running 0"));
    assert_eq!(server.post("/runs/stop", &format!("run={NAME}")).0, 409);
    let before = state(&place, NAME).1;
    assert_eq!(server.post("/runs/resume", &format!("run={NAME}")).0, 303);
    wait_for("no more games", || state(&place, NAME).1 > before);

    // Killing the server stops the runs that it started; another server resumes them.
    server.signal("-KILL");
    drop(server);
    wait_for("it goes on without the server", || state(&place, NAME).0 == "interrupted");
    let server = Server::start(&place, &[]);
    assert_eq!(server.post("/runs/resume", &format!("run={NAME}")).0, 303);
    wait_for("never done", || state(&place, NAME).0 == "done");
    assert_eq!(server.post("/runs/resume", &format!("run={NAME}")).0, 409);

    let cup = "game = \"connect4\"\nname = \"cup\"\nopening_plies = 4\n[[player]]\nplayer = \"grid-5\"\n[[player]]\nplayer = \"random\"\n";
    assert_eq!(server.post("/events/new", &form(cup)), (303, "/event/cup".to_owned()));
    wait_for("never done", || state(&place, "cup").0 == "done");
    // Runs are interrupted when the server ends, and can be resumed.
    assert_eq!(server.post("/tune", &(form(LONG) + "&again=1")).1, "/run/cmaes-connect-7x6x4-2");
    wait_for("no games", || state(&place, "cmaes-connect-7x6x4-2").1 > 0);
    let (code, _) = server.end("-TERM");
    assert_eq!(code, Some(0));
    assert_eq!(state(&place, "cmaes-connect-7x6x4-2").0, "interrupted");
}
