//! King of the hill: challengers in order against the king; the winner of a match is the next king.

use super::keys::{CYCLES, PAIRS};
use super::matches::MatchScores;
use super::{FormatInfo, FormatSetup, count};
use crate::format::{Format, Placing};
use crate::pairing::Pairings;
use crate::results::TournamentResults;

/// Entry of king of the hill in the list of formats.
pub(super) const INFO: FormatInfo = FormatInfo {
    name: "king-of-the-hill",
    spanish: "rey de la colina",
    about: "challengers in order against the king; the winner of a match is king, and a tied match keeps the king",
    keys: &[CYCLES, PAIRS],
    has_ladder: false,
    check: |_, _| Ok(()),
    open: |setup| Box::new(KingOfTheHill { setup }),
};

struct KingOfTheHill {
    setup: FormatSetup,
}

/// The state of the hill after the matches so far.
struct HillState {
    /// All kings so far, the present one last.
    kings: Vec<usize>,
    /// Challenger and number of the next match, if there is one.
    next: Option<(usize, u32)>,
}

impl KingOfTheHill {
    /// Each entrant challenges once per cycle, except that the first entrant is the king in the first cycle.
    fn n_matches(&self) -> u32 {
        (self.setup.field.len() as u32 * self.setup.values.whole(&CYCLES)).saturating_sub(1)
    }

    fn hill(&self, so_far: &TournamentResults) -> HillState {
        // Quarantined entrants are skipped, so matches that they won or lost are decided anew.
        let takes_part = |player: &usize| !so_far.is_quarantined(*player);
        let matches = MatchScores::of(so_far, self.setup.stage, &self.setup.points);
        let mut kings: Vec<usize> = Vec::new();
        for number in 0..=self.n_matches() {
            let challenger = self.setup.field[number as usize % self.setup.field.len()];
            match kings.last() {
                _ if !takes_part(&challenger) => {}
                None => kings.push(challenger),
                Some(&king) if king == challenger => {}
                Some(&king) => match matches.lead(number, [challenger, king]) {
                    None => return HillState { kings, next: Some((challenger, number)) },
                    Some(lead) if lead > 0.0 => kings.push(challenger),
                    Some(_) => {}
                },
            }
        }
        HillState { kings, next: None }
    }
}

impl Format for KingOfTheHill {
    fn next(&mut self, so_far: &TournamentResults, _go_on: bool) -> Pairings {
        if self.setup.field.is_empty() {
            return Pairings::default();
        }
        let hill = self.hill(so_far);
        let mut pairings = Vec::new();
        if let (Some((challenger, number)), Some(&king)) = (hill.next, hill.kings.last()) {
            self.setup.meet([challenger, king], number, false, so_far.next_number(), &mut pairings);
        }
        Pairings { pairings, byes: Vec::new() }
    }

    fn estimate(&self, _so_far: &TournamentResults) -> u64 {
        u64::from(self.n_matches()) * self.setup.games_per_match()
    }

    fn describe(&self) -> String {
        let matches = count(u64::from(self.n_matches()), "match");
        format!(
            "king of the hill of {} players: at most {matches} of {}",
            self.setup.field.len(),
            count(self.setup.games_per_match(), "game")
        )
    }

    /// The king, then former kings, the latest first, then all others with a shared place.
    fn placing(&self, so_far: &TournamentResults) -> Option<Vec<Placing>> {
        if self.setup.field.is_empty() {
            return None;
        }
        let mut order: Vec<usize> = Vec::new();
        for king in self.hill(so_far).kings.into_iter().rev() {
            if !order.contains(&king) && !so_far.is_quarantined(king) {
                order.push(king);
            }
        }
        let others = self.setup.field.iter().filter(|player| !order.contains(player));
        let last = order.len() as u32 + 1;
        let rest: Vec<Placing> = others.map(|&player| Placing { player, place: last }).collect();
        let kings = (1..).zip(order).map(|(place, player)| Placing { player, place });
        Some(kings.chain(rest).collect())
    }
}
