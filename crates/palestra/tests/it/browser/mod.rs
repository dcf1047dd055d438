//! The page in a real browser, driven by mouse and keyboard.
//!
//! Every page that a test visits must log no error or warning to the console, fail no request and break no rule of
//! the content security policy. Tests wait for a condition, never for a fixed time.

mod accessibility;
mod event;
mod game;
mod harness;
mod looks;
mod play;
mod process;
mod session;
mod site;
mod tuning;

use session::Browser;
use site::Site;
