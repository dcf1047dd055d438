//! Adaptive: games go to the neighbors in the ranking whose order is least certain.
//!
//! The event begins with ⌈log2 n⌉ Swiss rounds, so that results connect all entrants. Then, batch by batch, all games
//! so far give joint ratings. Matches go to neighbors in that order: first to those whose likelihood of superiority is
//! nearest to ½, with less priority for long games (in plies) and for neighbors that have met often. Neighbors whose
//! order is settled get no more games. A batch does not depend on the number of concurrent games, so neither does the
//! event.

use super::keys::{FormatKey, KeyKind, MINUTES, PAIRS};
use super::swiss::{ROUNDS, Swiss};
use super::{FormatInfo, FormatSetup};
use crate::evidence::{RatingData, duplicate_entry};
use crate::format::{Format, Placing};
use crate::pairing::Pairings;
use crate::results::TournamentResults;
use crate::starts::StartSchedule;
use palestra_stats::Ratings;
use std::collections::{BTreeMap, BTreeSet};

/// Entry of the adaptive format in the list of formats.
pub(super) const INFO: FormatInfo = FormatInfo {
    name: "adaptive",
    spanish: "emparejamientos adaptativos",
    about: "a few Swiss rounds, then games go to neighbors in the ranking whose order is least certain",
    keys: &[PAIRS, BUDGET, MINUTES, BATCH, SURE],
    has_ladder: false,
    check: |values, _| match (values.get(&BUDGET), values.minutes()) {
        (None, None) => Err(("budget", "a number of games (budget) or a time limit (minutes)".to_owned())),
        _ => Ok(()),
    },
    open: |setup| Box::new(AdaptiveFormat::new(setup)),
};

const BUDGET: FormatKey = FormatKey {
    name: "budget",
    label: ["Budget of games", "Límite de partidas"],
    about: "most games; the option also takes a time (30m)",
    kind: KeyKind::Whole,
    bounds: [2.0, (1u64 << 50) as f64],
    default: None,
};

const BATCH: FormatKey = FormatKey {
    name: "batch",
    label: ["Matches at a time", "Encuentros a la vez"],
    about: "number of matches that are scheduled at a time",
    kind: KeyKind::Whole,
    bounds: [1.0, 1e6],
    default: Some(16.0),
};

const SURE: FormatKey = FormatKey {
    name: "sure",
    label: ["Sure from", "Seguro desde"],
    about: "likelihood of superiority at which the order of two neighbors is settled",
    kind: KeyKind::Number,
    bounds: [0.5, 0.999_999],
    default: Some(0.975),
};

struct AdaptiveFormat {
    setup: FormatSetup,
    /// Pairs the first rounds, and owns the start points of the stage.
    swiss: Swiss,
}

/// The matches of two entrants so far.
#[derive(Default)]
struct PairHistory {
    /// Rounds in which they have met: their start points are not used again.
    rounds: BTreeSet<u32>,
    /// Whether their last pair repeated an earlier one move by move: more games would be no new evidence.
    repeats: bool,
    /// Fingerprints of their pairs.
    seen: BTreeSet<u64>,
}

impl AdaptiveFormat {
    fn new(setup: FormatSetup) -> AdaptiveFormat {
        let rounds = (setup.field.len().max(2) - 1).ilog2() + 1;
        let mut starts = StartSchedule::plain(crate::StageBoards::Listed(Vec::new()), 0, 1, setup.seed);
        let mut setup = setup;
        std::mem::swap(&mut starts, &mut setup.starts);
        let swiss = Swiss::new(FormatSetup {
            field: setup.field.clone(),
            ladder: Vec::new(),
            starts,
            points: setup.points,
            values: setup.values.clone().with(&ROUNDS, f64::from(rounds)),
            stage: setup.stage,
            seed: setup.seed,
        });
        AdaptiveFormat { setup, swiss }
    }

    fn budget(&self) -> Option<u64> {
        self.setup.values.get(&BUDGET).map(|games| games as u64)
    }

    fn sure(&self) -> f64 {
        self.setup.values.get(&SURE).unwrap_or(1.0)
    }

    /// Number of matches in a batch.
    fn max_batch(&self) -> u64 {
        self.setup.values.whole(&BATCH).into()
    }

    /// Number of games left in the budget.
    fn games_left(&self, so_far: &TournamentResults) -> u64 {
        self.budget().unwrap_or(u64::MAX).saturating_sub(self.n_games(so_far))
    }

    fn n_games(&self, so_far: &TournamentResults) -> u64 {
        let of_stage = so_far.pair_results().iter().filter(|result| result.pairing.stage == self.setup.stage);
        of_stage.map(|result| result.played().count() as u64).sum()
    }

    fn ratings(&self, so_far: &TournamentResults) -> Option<Ratings> {
        let names = vec![String::new(); so_far.n_entrants()];
        RatingData::of(so_far, Some(self.setup.stage), &[]).rate(&names, Vec::new(), false).ok()
    }

    /// The entrants that are not quarantined, the best rating first.
    fn order(&self, so_far: &TournamentResults, ratings: &Ratings) -> Vec<usize> {
        let mut order: Vec<usize> =
            self.setup.field.iter().copied().filter(|&player| !so_far.is_quarantined(player)).collect();
        let rating = |player: usize| ratings.players()[player].rating;
        order.sort_by(|&a, &b| rating(b).total_cmp(&rating(a)));
        order
    }

    fn pairs(&self, so_far: &TournamentResults) -> BTreeMap<[usize; 2], PairHistory> {
        let mut pairs: BTreeMap<[usize; 2], PairHistory> = BTreeMap::new();
        for result in so_far.counted_in(self.setup.stage) {
            let pair = pairs.entry(result.pairing.players).or_default();
            pair.rounds.insert(result.pairing.round);
            let unit = duplicate_entry(result, &[]);
            pair.repeats = !pair.seen.insert(unit.fingerprint) && !unit.is_stochastic;
        }
        pairs
    }

    /// The matches of the next batch; two entrants may appear more than once.
    fn batch(&self, so_far: &TournamentResults) -> Vec<[usize; 2]> {
        let Some(ratings) = self.ratings(so_far) else { return Vec::new() };
        let order = self.order(so_far, &ratings);
        let pairs = self.pairs(so_far);
        let costs = costs(so_far);
        let mut candidates = Vec::new();
        for neighbors in order.windows(2) {
            let [a, b] = [neighbors[0].min(neighbors[1]), neighbors[0].max(neighbors[1])];
            let pair = pairs.get(&[a, b]);
            // Two entrants that no results connect could be in either order.
            let los = ratings.difference(a, b).map_or(0.5, |difference| difference.los);
            let doubt = los.min(1.0 - los);
            if 1.0 - doubt >= self.sure() || pair.is_some_and(|pair| pair.repeats) {
                continue;
            }
            let n_met = pair.map_or(0, |pair| pair.rounds.len());
            candidates.push((doubt / (costs[a] + costs[b]), n_met as f64, [a, b]));
        }
        let max_matches = self.max_batch().min(self.games_left(so_far) / self.setup.games_per_match());
        let mut batch = Vec::new();
        while (batch.len() as u64) < max_matches {
            let priority = |(value, n_met, _): &(f64, f64, [usize; 2])| value / (1.0 + n_met);
            let best = candidates
                .iter_mut()
                .reduce(|best, other| if priority(other) > priority(best) { other } else { best });
            let Some(best) = best else { break };
            best.1 += 1.0;
            batch.push(best.2);
        }
        batch.sort_unstable();
        batch
    }
}

impl Format for AdaptiveFormat {
    fn next(&mut self, so_far: &TournamentResults, go_on: bool) -> Pairings {
        let games_left = self.games_left(so_far);
        if !go_on || games_left < self.setup.games_per_match() {
            return Pairings::default();
        }
        let mut pairings = self.swiss.next(so_far, go_on);
        if !pairings.pairings.is_empty() {
            // No byes and walkovers: ratings decide here, not points.
            pairings.byes.clear();
            pairings.pairings.iter_mut().for_each(|pairing| pairing.walkover = false);
            pairings.pairings.truncate(usize::try_from(games_left / 2).unwrap_or(usize::MAX));
            return pairings;
        }
        let first_number = so_far.next_number();
        let mut pairs = self.pairs(so_far);
        for players in self.batch(so_far) {
            let met = &mut pairs.entry(players).or_default().rounds;
            let round = (0..).find(|round| !met.contains(round)).unwrap_or_default();
            met.insert(round);
            self.swiss.setup_mut().meet(players, round, false, first_number, &mut pairings.pairings);
        }
        pairings
    }

    fn estimate(&self, so_far: &TournamentResults) -> u64 {
        let planned = self.swiss.estimate(so_far).max(self.n_games(so_far));
        self.budget().unwrap_or(planned + self.max_batch() * self.setup.games_per_match())
    }

    fn describe(&self) -> String {
        let budget = match (self.budget(), self.setup.values.minutes()) {
            (Some(games), Some(minutes)) => format!("{games} games or {minutes} minutes"),
            (Some(games), None) => format!("{games} games"),
            (None, Some(minutes)) => format!("{minutes} minutes"),
            (None, None) => "no limit of games".to_owned(),
        };
        format!(
            "adaptive: {} players, {budget}, until neighbors are {} % sure",
            self.setup.field.len(),
            100.0 * self.sure()
        )
    }

    /// By rating: entrants have different numbers of games, so their points are not comparable.
    fn placing(&self, so_far: &TournamentResults) -> Option<Vec<Placing>> {
        let ratings = self.ratings(so_far)?;
        let order = self.order(so_far, &ratings);
        let mut placings: Vec<Placing> = Vec::new();
        for (i, &player) in order.iter().enumerate() {
            let rating = |player: usize| ratings.players()[player].rating;
            let level = placings.last().filter(|last| rating(last.player) == rating(player));
            let place = level.map_or(i as u32 + 1, |last| last.place);
            placings.push(Placing { player, place });
        }
        Some(placings)
    }
}

/// By entrant: mean number of plies of its games, relative to the mean of all entrants and at least 0.05.
fn costs(so_far: &TournamentResults) -> Vec<f64> {
    let mut plies = vec![0.0; so_far.n_entrants()];
    let mut n_games = vec![0.0; so_far.n_entrants()];
    for game in so_far.games() {
        for player in game.seats {
            plies[player] += f64::from(game.record.n_played());
            n_games[player] += 1.0;
        }
    }
    let mean = (plies.iter().sum::<f64>() / n_games.iter().sum::<f64>().max(1.0)).max(1.0);
    let cost = |(plies, n): (&f64, &f64)| if *n > 0.0 { (plies / n / mean).max(0.05) } else { 1.0 };
    plies.iter().zip(&n_games).map(cost).collect()
}
