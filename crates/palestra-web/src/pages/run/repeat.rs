//! How to continue or repeat a run in a terminal.

use crate::viewer::Language;
use palestra_review::tuning::RunReport;

/// Commands, with a sentence about each, and what to expect of them.
pub(super) struct RepeatCommands {
    /// File to save the plan to.
    pub(super) file: String,
    pub(super) commands: Vec<(&'static str, String)>,
    pub(super) expectation: &'static str,
}

impl RepeatCommands {
    /// `options` are further options of the commands, such as that of the store.
    pub(super) fn of(report: &RunReport, options: &str, language: Language) -> RepeatCommands {
        // The store accepts no names that a shell would split or expand.
        let file = format!("{}.toml", report.run.name);
        let command = format!("{} tune {file}{options}", palestra_arena::program_name());
        let again = format!("{command} --again");
        let commands = match report.outcome {
            None => vec![
                (language.pick("To continue the run:", "Para continuar la ejecución:"), command),
                (language.pick("To start a new run:", "Para empezar una ejecución nueva:"), again),
            ],
            Some(_) => vec![(language.pick("To run it again:", "Para ejecutarla otra vez:"), again)],
        };
        let expectation = match report.is_timed() {
            true => language.pick(
                "The budget is a time, so another run of the plan may play more or fewer games and end with other weights.",
                "El presupuesto es un tiempo: otra ejecución del plan puede jugar más o menos partidas y acabar con otros pesos.",
            ),
            false => language.pick(
                "The same plan gives the same result, on any number of threads.",
                "El mismo plan da el mismo resultado, con cualquier número de hilos.",
            ),
        };
        RepeatCommands { file, commands, expectation }
    }
}
