//! The protocols that programs speak, each a [`Protocol`](crate::Protocol).

#[cfg(test)]
mod double;
mod gtp;
mod info;
mod kaggle;
pub(crate) mod line;
mod reading;
mod spec;
#[cfg(test)]
mod tests_gtp;
#[cfg(test)]
mod tests_ugi;
mod ugi;

pub use gtp::Gtp;
pub use kaggle::KAGGLE_SHIM;
pub use line::{CONECTA_C, LADRILLOS, LineProtocol, LineRules};
pub use spec::{LoadedProtocol, ProtocolSpec};
pub use ugi::{Dialect, Ugi};
