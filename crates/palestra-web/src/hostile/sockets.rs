//! Slow, silent and malformed clients on real sockets.

use super::TestSite;
use crate::config::{Config, ServerLimits};
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// A server on its own thread.
struct TestServer {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    _site: TestSite,
}

impl TestServer {
    fn start(change: impl FnOnce(&mut ServerLimits)) -> TestServer {
        // Only its folder and its store are used.
        let site = TestSite::new(|_| {}).with_samples();
        let mut config = Config::new(&palestra_registry::GAMES, site.folder.join("store.db"));
        config.address = SocketAddr::from(([127, 0, 0, 1], 0));
        change(&mut config.limits);
        let (stop, stopped) = oneshot::channel();
        let (sender, receiver) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
            runtime.block_on(async {
                let bound = crate::bind(config).await.unwrap();
                sender.send(bound.address().unwrap()).unwrap();
                bound.serve(async { drop(stopped.await) }).await;
            });
        });
        TestServer { address: receiver.recv().unwrap(), stop: Some(stop), thread: Some(thread), _site: site }
    }

    fn connect(&self) -> TcpStream {
        let socket = TcpStream::connect(self.address).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        socket.set_write_timeout(Some(Duration::from_secs(10))).unwrap();
        socket
    }

    /// Sends bytes and reads until the server closes the connection.
    fn send(&self, bytes: &[u8]) -> String {
        let mut socket = self.connect();
        // The server may refuse before it has read everything.
        let _ = socket.write_all(bytes);
        let mut answer = Vec::new();
        let _ = socket.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// An ordinary request is served.
    #[track_caller]
    fn check_serves(&self) {
        let answer = self.send(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    }

    /// Stops the server; returns the time that took.
    fn end(&mut self) -> Duration {
        let began = Instant::now();
        self.stop.take().unwrap().send(()).unwrap();
        self.thread.take().unwrap().join().unwrap();
        began.elapsed()
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        if self.stop.is_some() {
            self.end();
        }
    }
}

/// Whether the server closes the connection.
fn is_closed(socket: &mut TcpStream) -> bool {
    let mut rest = Vec::new();
    match socket.read_to_end(&mut rest) {
        Ok(_) => true,
        Err(error) => error.kind() == ErrorKind::ConnectionReset,
    }
}

#[test]
fn slow_and_silent_clients_are_disconnected() {
    let server = TestServer::start(|limits| {
        limits.header_time = Duration::from_millis(300);
        limits.request_time = Duration::from_millis(300);
    });
    let mut clients: Vec<TcpStream> = Vec::new();
    let starts: [&[u8]; 4] = [
        b"",
        b"GET / HTTP/1.1\r\nHost: loc",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ",
        // A whole request, and then nothing more.
        b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ];
    for start in starts {
        let mut client = server.connect();
        client.write_all(start).unwrap();
        clients.push(client);
    }
    server.check_serves();
    for (client, start) in clients.iter_mut().zip(starts) {
        assert!(is_closed(client), "{}", String::from_utf8_lossy(start));
    }
    let body = "POST /appearance HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n\
                Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\ntheme";
    let answer = server.send(body.as_bytes());
    assert!(answer.starts_with("HTTP/1.1 504"), "{answer}");
    server.check_serves();
}

#[test]
fn malformed_requests_are_refused() {
    let server = TestServer::start(|_| {});
    let many_headers = "GET / HTTP/1.1\r\nHost: localhost\r\n".to_owned() + &*"X: y\r\n".repeat(500) + "\r\n";
    let long_header = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "y".repeat(200_000));
    let long_line = format!("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "y".repeat(200_000));
    let cases: [&[u8]; 12] = [
        b"GARBAGE\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET  /  HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: local\x00host\r\n\r\n",
        b"GET /\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        many_headers.as_bytes(),
        long_header.as_bytes(),
        long_line.as_bytes(),
    ];
    for case in cases {
        let mut socket = server.connect();
        let _ = socket.write_all(case);
        let _ = socket.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = socket.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer);
        let case = String::from_utf8_lossy(&case[..case.len().min(60)]).into_owned();
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{case:?}: {answer}");
        assert!(!answer.contains("palestra-secret"), "{case:?}: {answer}");
    }
    server.check_serves();
}

#[test]
fn http_1_0_and_pipelining_clients_are_served() {
    let server = TestServer::start(|limits| limits.header_time = Duration::from_millis(500));
    let answer = server.send(b"GET / HTTP/1.0\r\nHost: localhost\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.0 200"), "{answer}");
    let answer =
        server.send(b"GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let two = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let answer = server.send(two);
    assert!(answer.contains("HTTP/1.1 200") && answer.contains("HTTP/1.1 404"), "{answer}");
    let chunked = "POST /appearance HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n\
                   Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n";
    let answer = server.send(format!("{chunked}a\r\ntheme=dark\r\n0\r\n\r\n").as_bytes());
    assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
    let answer = server.send(format!("{chunked}fffffff\r\n{}", "a".repeat(300_000)).as_bytes());
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 413"), "{answer}");
}

#[test]
fn a_client_that_never_reads_is_disconnected() {
    let server = TestServer::start(|limits| {
        limits.write_time = Duration::from_millis(300);
        limits.burst = 1_000_000;
    });
    let mut socket = server.connect();
    let request = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(100);
    let began = Instant::now();
    // The client reads nothing: the buffers fill up, then the server closes the connection.
    let error = loop {
        match socket.write_all(&request) {
            Ok(()) => assert!(began.elapsed() < Duration::from_secs(60), "never disconnected"),
            Err(error) => break error,
        }
    };
    assert!(matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::BrokenPipe), "{error}");
    server.check_serves();
}

#[test]
fn silent_connections_do_not_block_others_for_long() {
    let server = TestServer::start(|limits| {
        limits.connections = 16;
        limits.header_time = Duration::from_millis(300);
    });
    let _silent: Vec<TcpStream> = (0..60).map(|_| server.connect()).collect();
    let began = Instant::now();
    server.check_serves();
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
}

#[test]
fn streams_end_with_the_server() {
    let mut server = TestServer::start(|_| {});
    let mut streams: Vec<TcpStream> = (0..50).map(|_| server.connect()).collect();
    for stream in &mut streams {
        stream.write_all(b"GET /live/home HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        let mut begin = [0; 12];
        stream.read_exact(&mut begin).unwrap();
        assert_eq!(&begin, b"HTTP/1.1 200");
    }
    server.check_serves();
    let took = server.end();
    assert!(took < Duration::from_secs(2), "{took:?}");
    for stream in &mut streams {
        assert!(is_closed(stream));
    }
    assert!(TcpStream::connect(server.address).is_err());
}
