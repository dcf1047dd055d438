//! Hostile requests to the page, over sockets on the loopback address.

use super::draw::Draw;
use super::job::{Job, Tally, Verdict};
use super::program::{Program, wait};
use super::work::{STORE, WORK};
use anyhow::{Context, Result, bail};
use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

const N_CASES: usize = 20_000;
/// Requests at a time.
const N_THREADS: usize = 4;
/// What an answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// More memory than after the first requests: pages are kept, up to a limit.
const MOST_GROWTH_KB: u64 = 96 * 1024;
const MOST_MORE_DESCRIPTORS: usize = 16;

/// Addresses; `{}` is replaced by a random value.
const ROUTES: &[&str] = &[
    "/",
    "/appearance",
    "/assets/{}",
    "/enter",
    "/event/{}",
    "/event/{}/games",
    "/event/{}/player/{}",
    "/events/new",
    "/game",
    "/game/{}",
    "/live/{}",
    "/metrics",
    "/play",
    "/run/{}",
    "/run/{}/{}",
    "/studies",
    "/study/{}",
    "/study/{}/figure/{}",
    "/tune",
    "/runs/resume",
    "/runs/stop",
    "/{}",
    "{}",
];

const KEYS: &[&str] = &[
    "again",
    "budget",
    "format",
    "game",
    "generation",
    "language",
    "method",
    "moves",
    "name",
    "objective",
    "opening_plies",
    "page",
    "pairs",
    "plan",
    "player",
    "players",
    "ply",
    "rounds",
    "run",
    "seed",
    "setup",
    "show",
    "side",
    "theme",
    "token",
    "weights",
    "you",
];

const VALUES: &[&str] = &[
    "",
    "0",
    "1",
    "-1",
    "99999999999999999999",
    "1e309",
    "NaN",
    "home",
    "run-1",
    "cup",
    "random",
    "first",
    "greedy/lines",
    "cmd:touch~x",
    "connect:4x4x3",
    "connect:0x0x0",
    "kalah:2x2",
    "4455",
    "es",
    "/",
    "//x",
    "..",
    "../../etc/passwd",
    "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "%00",
    "%ff%fe",
    "%zz",
    "%0d%0aSet-Cookie:%20x",
    "<script>alert(1)</script>",
    "'%20OR%201=1%20--",
    "round-robin",
    "[[[[[[[[",
    "%f0%9f%a6%80",
];

const METHODS: &[&str] =
    &["GET", "GET", "GET", "GET", "POST", "POST", "HEAD", "OPTIONS", "PUT", "TRACE", "BREW"];

const HEADERS: &[&str] = &[
    "Origin: http://localhost",
    "Origin: null",
    "Origin: http://evil.example",
    "Sec-Fetch-Site: cross-site",
    "Cookie: palestra-theme=dark; palestra-token=x",
    "Cookie: ;;;===",
    "Accept: application/json",
    "Range: bytes=0-",
    "Accept-Language: es;q=nan",
    "Accept-Encoding: gzip;q=9",
    "Last-Event-ID: -1",
    "If-None-Match: *",
    "X-Forwarded-For: 10.0.0.1",
    "Expect: 100-continue",
    "Content-Type: text/plain",
];

pub(crate) fn run(job: &Job<'_>) -> Result<Tally> {
    let place = job.place("server")?;
    for name in ["cmaes", "swiss"] {
        let work = WORK.iter().find(|work| work.name == name).context("no such work")?;
        work.prepare(&place)?;
        let ended = Program::new(job.binary, &place).patient().run(&work.words(job, 0))?;
        if ended.code != Some(0) {
            bail!("{name}: {}", ended.shown());
        }
    }
    let program = Program::new(job.binary, &place);
    let serve = ["serve", "--listen", "127.0.0.1:0", "--no-browser", "--metrics", "--store", STORE];
    let mut child = program.start(&serve)?;
    let listening = address(job);
    let outcome = listening.and_then(|to| attack(job, child.id(), to));
    let alive = wait(&mut child, Duration::ZERO)?.is_none();
    super::program::signal("INT", child.id())?;
    let ended = program.finish(child)?;
    let mut tally = outcome?;
    if !alive {
        tally.count(None, Verdict::Bad(format!("the server is gone: {}", ended.shown())));
    } else if let Some(fault) = ended.fault() {
        tally.count(None, Verdict::Bad(fault));
    }
    Ok(tally)
}

/// The address that the server prints.
fn address(job: &Job<'_>) -> Result<SocketAddr> {
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        let said = fs::read_to_string(job.folder.join("server.stdout"))?
            + &fs::read_to_string(job.folder.join("server.stderr"))?;
        if let Some((_, rest)) = said.split_once("http://127.0.0.1:") {
            let port: String = rest.chars().take_while(char::is_ascii_digit).collect();
            if rest.len() > port.len() {
                return Ok(SocketAddr::from(([127, 0, 0, 1], port.parse()?)));
            }
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    bail!("the server does not say where it listens")
}

fn attack(job: &Job<'_>, process: u32, to: SocketAddr) -> Result<Tally> {
    // Caches fill with the first requests, which are not counted.
    let warm = if job.options.only.is_some() { 0 } else { 500 };
    for number in 0..warm {
        ask(to, &mut Draw::new(job.options.seed, "warm", number))?;
    }
    let before = (memory_kb(process)?, descriptors(process)?);
    let mut tally = job.each(N_CASES, N_THREADS, |number, _| ask(to, &mut job.draw(number)))?;
    let began = Instant::now();
    // Streams that nobody reads are noticed after a while.
    while descriptors(process)? > before.1 + MOST_MORE_DESCRIPTORS && began.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(100));
    }
    let after = (memory_kb(process)?, descriptors(process)?);
    println!("requests: {} to {} kB, {} to {} descriptors", before.0, after.0, before.1, after.1);
    if after.0 > before.0 + MOST_GROWTH_KB {
        tally.count(None, Verdict::Bad(format!("memory grew from {} to {} kB", before.0, after.0)));
    }
    if after.1 > before.1 + MOST_MORE_DESCRIPTORS {
        tally.count(None, Verdict::Bad(format!("descriptors grew from {} to {}", before.1, after.1)));
    }
    match exchange(to, b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", true)? {
        Some(200) => {}
        status => tally.count(None, Verdict::Bad(format!("the first page afterwards: {status:?}"))),
    }
    Ok(tally)
}

/// Sends one request and judges the answer.
fn ask(to: SocketAddr, draw: &mut Draw) -> Result<Verdict> {
    let (mut bytes, waits) = request(draw);
    let is_mutated = draw.one_in(4);
    for _ in 0..if is_mutated { draw.between(1, 4) } else { 0 } {
        let at = draw.below(bytes.len());
        match draw.below(4) {
            0 => bytes.truncate(at + 1),
            1 => bytes[at] = draw.next() as u8,
            2 => bytes.insert(at, b'\n'),
            _ => drop(bytes.remove(at)),
        }
        if bytes.is_empty() {
            bytes.push(b'x');
        }
    }
    let shown: String = String::from_utf8_lossy(&bytes).chars().take(300).collect();
    Ok(match exchange(to, &bytes, waits && !is_mutated)? {
        Some(status @ (429 | 503 | 504)) => Verdict::Good(format!("status {status}")),
        Some(status) if status >= 500 => Verdict::Bad(format!("status {status}: {shown:?}")),
        Some(status) => Verdict::Good(format!("status {status}")),
        None if is_mutated => Verdict::Good("malformed, and closed without an answer".to_owned()),
        None => Verdict::Bad(format!("no answer: {shown:?}")),
    })
}

/// A request, and whether its answer comes to an end.
fn request(draw: &mut Draw) -> (Vec<u8>, bool) {
    let mut path = draw.pick(ROUTES).to_owned();
    while path.contains("{}") {
        path = path.replacen("{}", &value(draw), 1);
    }
    let path = if path.is_empty() { "/".to_owned() } else { path };
    let waits = !path.contains("live");
    let pairs = |draw: &mut Draw| {
        let n = draw.below(5);
        (0..n).map(|_| format!("{}={}", draw.pick(KEYS), value(draw))).collect::<Vec<_>>().join("&")
    };
    let (query, body) = (pairs(draw), pairs(draw));
    let method = draw.pick(METHODS);
    let host =
        if draw.one_in(10) { draw.pick(&["evil.example", "", "[::1", "10.0.0.1"]) } else { "localhost" };
    let mut text = format!("{method} {path}?{query} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
    for _ in 0..draw.below(4) {
        text += &format!("{}\r\n", draw.pick(HEADERS));
    }
    if method == "POST" {
        text += "Content-Type: application/x-www-form-urlencoded\r\n";
        if !draw.one_in(4) {
            text += "Origin: http://localhost\r\n";
        }
    }
    if !body.is_empty() && method != "GET" {
        text += &format!("Content-Length: {}\r\n\r\n{body}", body.len());
    } else {
        text += "\r\n";
    }
    (text.into_bytes(), waits)
}

fn value(draw: &mut Draw) -> String {
    if draw.one_in(40) {
        return draw.pick(&["a", "7", "%20", "/"]).repeat(draw.between(1, 20_000));
    }
    draw.pick(VALUES).replace('~', "%20")
}

/// The status of the answer; `None` if the connection is closed without one.
fn exchange(to: SocketAddr, bytes: &[u8], waits: bool) -> Result<Option<u16>> {
    let mut socket = TcpStream::connect_timeout(&to, PATIENCE).context("the server takes no connection")?;
    // A request that is cut leaves the server waiting for the rest, longer than this test waits.
    socket.set_read_timeout(Some(if waits { PATIENCE } else { Duration::from_millis(200) }))?;
    socket.set_write_timeout(Some(PATIENCE))?;
    if socket.write_all(bytes).is_err() {
        // It may refuse a long head before all of it is sent; the answer is there.
    }
    let mut head = [0; 12];
    if socket.read_exact(&mut head).is_err() {
        return Ok(None);
    }
    let status = std::str::from_utf8(&head[9..]).ok().and_then(|text| text.parse().ok());
    if waits {
        let mut rest = [0; 16 * 1024];
        while matches!(socket.read(&mut rest), Ok(n) if n > 0) {}
    }
    Ok(status)
}

fn memory_kb(process: u32) -> Result<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).context("no VmRSS")?;
    Ok(line.split_whitespace().nth(1).context("no number")?.parse()?)
}

fn descriptors(process: u32) -> Result<usize> {
    Ok(fs::read_dir(format!("/proc/{process}/fd"))?.count())
}
