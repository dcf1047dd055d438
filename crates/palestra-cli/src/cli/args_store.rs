//! Arguments of `palestra store`.

use clap::{Args as ClapArgs, Subcommand};
use std::path::PathBuf;

/// Check, compact or copy the store
#[derive(ClapArgs, Debug)]
pub(crate) struct StoreArgs {
    #[command(subcommand)]
    pub(crate) what: StoreCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum StoreCommand {
    /// Look for damage, and say what is played again
    #[command(after_help = "\
Exit codes: 0 no damage, 1 damage or a file that cannot be read, 2 bad input.

Examples:
  palestra store check
  palestra store check --store course.db --json")]
    Check,
    /// Remove what finished runs do not need, and give its space back to the disk
    #[command(after_help = "\
Needs no additional space. Other processes may use the store meanwhile, and a
compaction that was killed can be started again.

Examples:
  palestra store compact")]
    Compact,
    /// Copy the store as it is now, also while runs and events go on
    #[command(after_help = "\
Examples:
  palestra store backup monday.db")]
    Backup {
        /// The copy; a file that exists is not replaced
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}
