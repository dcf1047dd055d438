//! The methods by name. A new one is a file here and a line in [`METHODS`].

use crate::{Method, Settings, Setup};
use palestra_core::BadText;

/// A method as people choose it.
#[derive(Debug)]
pub struct MethodInfo {
    /// Its name in plans.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub about: &'static str,
    /// Its settings: name, what it is, default.
    pub settings: &'static [(&'static str, &'static str, &'static str)],
    /// Opens it; takes what it knows out of the settings, and complains about values it cannot use.
    pub open: Open,
}

/// Makes a method out of what it is opened with and its own settings.
pub type Open = fn(&Setup, &mut Settings) -> Result<Box<dyn Method>, BadText>;

/// Every method there is.
pub static METHODS: &[MethodInfo] = &[];
