//! The site on a socket, with limits on the number of connections and on slow or idle ones.

use crate::app::App;
use crate::config::Config;
use crate::write_timeout::WriteTimeoutSocket;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower::Service;

/// Time for requests in flight to finish at shutdown.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(1500);

/// A server whose socket is bound.
pub struct BoundServer {
    listener: TcpListener,
    app: App,
}

/// Binds the socket of a configuration; fails where [`Config::check`] does.
pub async fn bind(config: Config) -> io::Result<BoundServer> {
    config.check().map_err(|needs| io::Error::new(io::ErrorKind::InvalidInput, needs))?;
    let listener = TcpListener::bind(config.address).await?;
    Ok(BoundServer { listener, app: App::new(config) })
}

impl BoundServer {
    /// The address it listens on, with the port that the system chose for port 0.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// The site.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// Serves until `stop` completes, then ends streams and processes and waits up to 1.5 s for requests in flight.
    pub async fn serve(self, stop: impl Future<Output = ()>) {
        let BoundServer { listener, app } = self;
        let limits = app.config.limits;
        let router = app.router();
        let permits = Arc::new(Semaphore::new(limits.connections));
        let graceful = GracefulShutdown::new();
        let mut builder = hyper::server::conn::http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(limits.header_time).max_buf_size(64 * 1024);
        tokio::pin!(stop);
        loop {
            let permit = tokio::select! {
                permit = Arc::clone(&permits).acquire_owned() => permit.expect("never closed"),
                () = &mut stop => break,
            };
            let (socket, peer) = tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok(accepted) => accepted,
                    Err(_) => {
                        // Most likely out of file descriptors: other connections must end first.
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    }
                },
                () = &mut stop => break,
            };
            // Small responses and stream events must not wait for more data (Nagle).
            let _ = socket.set_nodelay(true);
            let socket = WriteTimeoutSocket::new(socket, limits.write_time);
            let router = router.clone();
            let service = hyper::service::service_fn(move |mut request: hyper::Request<Incoming>| {
                request.extensions_mut().insert(ConnectInfo(peer));
                router.clone().call(request)
            });
            let connection = graceful.watch(builder.serve_connection(TokioIo::new(socket), service));
            tokio::spawn(async move {
                // An error here is a client that closed the connection.
                let _ = connection.await;
                drop(permit);
            });
        }
        drop(listener);
        app.close().await;
        let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, graceful.shutdown()).await;
    }
}
