//! Load test: many viewers of one running event. Each follows the event stream and loads the page again on every new
//! version, as a browser does. Ends when every viewer has seen the end of the event.
//!
//! ```text
//! cargo run --release -p palestra-web --example viewers -- 127.0.0.1:8007 EVENT 200
//! ```
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a measurement has a clock and a terminal"
)]

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

type BoxError = Box<dyn Error + Send + Sync>;

#[derive(Default)]
struct Counts {
    events: AtomicU64,
    pages: AtomicU64,
    bytes: AtomicU64,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), BoxError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, event, viewers] = &arguments[..] else {
        return Err("ADDRESS:PORT EVENT VIEWERS".into());
    };
    let n_viewers: usize = viewers.parse()?;
    let (address, event) = (Arc::<str>::from(address.as_str()), Arc::<str>::from(event.as_str()));
    let counts = Arc::new(Counts::default());
    let began = Instant::now();
    let mut all = Vec::new();
    for _ in 0..n_viewers {
        let (address, event, counts) = (Arc::clone(&address), Arc::clone(&event), Arc::clone(&counts));
        all.push(tokio::spawn(async move { watch(&address, &event, &counts).await }));
    }
    let mut n_final = 0;
    for one in all {
        match one.await? {
            Ok(()) => n_final += 1,
            Err(error) => println!("a viewer failed: {error}"),
        }
    }
    let count = |of: &AtomicU64| of.load(Ordering::Relaxed);
    println!(
        "{n_final} of {n_viewers} saw the end; {} events, {} pages, {:.1} MB in {:.1} s",
        count(&counts.events),
        count(&counts.pages),
        count(&counts.bytes) as f64 / 1e6,
        began.elapsed().as_secs_f64()
    );
    if n_final < n_viewers { Err("a viewer missed the end".into()) } else { Ok(()) }
}

/// One viewer: loads the page and follows the stream until the page shows that the event is done.
async fn watch(address: &str, event: &str, counts: &Counts) -> Result<(), BoxError> {
    let path = format!("/event/{event}");
    let mut page = read(address, &path, counts).await?;
    let topic = attribute(&page, "data-topic").ok_or("the page has no data-topic")?.to_owned();
    let mut stream = TcpStream::connect(address).await?;
    let request = format!("GET /live/{topic} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut lines = BufReader::new(stream).lines();
    while !is_over(&page) {
        let line = tokio::time::timeout(Duration::from_secs(60), lines.next_line()).await??;
        let line = line.ok_or("the stream ended")?;
        let Some(version) = line.strip_prefix("data: ") else { continue };
        counts.events.fetch_add(1, Ordering::Relaxed);
        if attribute(&page, "data-version") != Some(version) {
            page = read(address, &path, counts).await?;
        }
    }
    Ok(())
}

fn is_over(page: &str) -> bool {
    page.contains("class=\"state done\"")
}

fn attribute<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = page.split_once(&format!("{name}=\""))?;
    rest.split_once('"').map(|(value, _)| value)
}

async fn read(address: &str, path: &str, counts: &Counts) -> Result<String, BoxError> {
    let mut socket = TcpStream::connect(address).await?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    socket.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    socket.read_to_end(&mut answer).await?;
    counts.pages.fetch_add(1, Ordering::Relaxed);
    counts.bytes.fetch_add(answer.len() as u64, Ordering::Relaxed);
    let answer = String::from_utf8_lossy(&answer).into_owned();
    match answer.starts_with("HTTP/1.1 200") {
        true => Ok(answer),
        false => Err(answer.lines().next().unwrap_or("nothing").to_owned().into()),
    }
}
