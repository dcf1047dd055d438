//! Gauntlet: every entrant meets a fixed ladder of reference players and no other entrant.

use super::keys::{CYCLES, PAIRS};
use super::{FormatInfo, FormatSetup, count};
use crate::format::Format;
use crate::pairing::Pairings;
use crate::results::TournamentResults;

/// Entry of the gauntlet in the list of formats.
pub(super) const INFO: FormatInfo = FormatInfo {
    name: "gauntlet",
    spanish: "desafío contra una escala",
    about: "every entrant meets only the staff players, so that its mark does not depend on other entrants",
    keys: &[CYCLES, PAIRS],
    has_ladder: true,
    check: |_, _| Ok(()),
    open: |setup| Box::new(GauntletFormat { setup, cycle: 0 }),
};

struct GauntletFormat {
    setup: FormatSetup,
    cycle: u32,
}

impl GauntletFormat {
    fn challengers(&self) -> Vec<usize> {
        let is_free = |player: &&usize| !self.setup.ladder.contains(player);
        self.setup.field.iter().filter(is_free).copied().collect()
    }
}

impl Format for GauntletFormat {
    fn next(&mut self, so_far: &TournamentResults, _go_on: bool) -> Pairings {
        let mut pairings = Vec::new();
        if self.cycle < self.setup.values.whole(&CYCLES) {
            let first_number = so_far.next_number();
            let (challengers, ladder) = (self.challengers(), self.setup.ladder.clone());
            for challenger in challengers {
                for &rung in &ladder {
                    self.setup.meet([challenger, rung], self.cycle, false, first_number, &mut pairings);
                }
            }
            self.cycle += 1;
        }
        Pairings { pairings, byes: Vec::new() }
    }

    fn estimate(&self, _so_far: &TournamentResults) -> u64 {
        let n_matches = (self.challengers().len() * self.setup.ladder.len()) as u64;
        n_matches * u64::from(self.setup.values.whole(&CYCLES)) * self.setup.games_per_match()
    }

    fn describe(&self) -> String {
        let (n, rungs) = (self.challengers().len(), self.setup.ladder.len());
        let cycles = count(u64::from(self.setup.values.whole(&CYCLES)), "cycle");
        let each = count(self.setup.games_per_match(), "game");
        format!("gauntlet: {n} players against a ladder of {rungs}, {cycles} of {each} each")
    }
}
