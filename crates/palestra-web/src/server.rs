//! The site on a socket: connections that are slow, too many or left open do not stop it.

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

/// How long requests in flight are waited for at the end.
const PATIENCE: Duration = Duration::from_millis(1500);

/// A server that has its socket.
pub struct BoundServer {
    listener: TcpListener,
    app: App,
}

/// Takes the socket of a configuration; one that others can reach has a secret.
pub async fn bind(config: Config) -> io::Result<BoundServer> {
    config.check().map_err(|needs| io::Error::new(io::ErrorKind::InvalidInput, needs))?;
    let listener = TcpListener::bind(config.address).await?;
    Ok(BoundServer { listener, app: App::new(config) })
}

impl BoundServer {
    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// The site.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// Serves until `stop` comes; then ends streams and work, and waits a little for what is in flight.
    pub async fn serve(self, stop: impl Future<Output = ()>) {
        let BoundServer { listener, app } = self;
        let limits = app.config.limits;
        let router = app.router();
        let places = Arc::new(Semaphore::new(limits.connections));
        let graceful = GracefulShutdown::new();
        let mut builder = hyper::server::conn::http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(limits.header_time).max_buf_size(64 * 1024);
        tokio::pin!(stop);
        loop {
            let place = tokio::select! {
                place = Arc::clone(&places).acquire_owned() => place.expect("never closed"),
                () = &mut stop => break,
            };
            let (socket, peer) = tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok(accepted) => accepted,
                    Err(_) => {
                        // Out of file descriptors, most likely: others must end first.
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    }
                },
                () = &mut stop => break,
            };
            // Small answers and events go out at once.
            let _ = socket.set_nodelay(true);
            let socket = WriteTimeoutSocket::new(socket, limits.write_time);
            let router = router.clone();
            let service = hyper::service::service_fn(move |mut request: hyper::Request<Incoming>| {
                request.extensions_mut().insert(ConnectInfo(peer));
                router.clone().call(request)
            });
            let connection = graceful.watch(builder.serve_connection(TokioIo::new(socket), service));
            tokio::spawn(async move {
                // Whoever hangs up does so.
                let _ = connection.await;
                drop(place);
            });
        }
        drop(listener);
        app.close().await;
        let _ = tokio::time::timeout(PATIENCE, graceful.shutdown()).await;
    }
}
