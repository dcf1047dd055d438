//! The page in a real browser: what people click, type and see.
//!
//! Every page that a test visits must leave no error and no warning in the console, fail no request and break no rule of
//! the content security policy. Tests wait for what they expect to see, and never for a time.

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
