//! Programs with different files that play the same: a note for the organizers.
//!
//! Identical play is no proof of copying: in a small game, or with the same obvious rule, different programs choose the
//! same moves. So the note needs many different positions in which there was a choice, and says how many.

use super::EventReview;
use palestra_arena::Catalog;
use palestra_core::Side;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Programs that chose the same moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct IdenticalPlay {
    /// Their names.
    pub players: Vec<String>,
    /// Number of different positions with more than one legal move in which both of two players chose; of more than
    /// two players, the pair with the smallest share.
    pub positions: usize,
    /// In how many of them they chose the same move.
    pub same_moves: usize,
    /// Number of games of the one that equal a game of the other move by move, from the same side.
    pub same_games: usize,
}

/// What is known of programs that play the same.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayComparison {
    /// Programs with different files.
    pub identical: Vec<IdenticalPlay>,
    /// Names of programs that are the same by content, and share their games.
    pub shared: Vec<Vec<String>>,
}

/// Minimum number of equal games of a pair that is compared.
const MIN_GAMES: usize = 4;
/// The fewest positions of a note: about those of four games.
const MIN_POSITIONS: usize = 40;
/// The smallest share of positions with the same move.
const MIN_SHARE: f64 = 0.98;
/// With more programs the pairs are not compared.
const MAX_PROGRAMS: usize = 500;
/// Most games of a player whose positions are compared.
const MAX_GAMES: usize = 400;

impl IdenticalPlay {
    /// The note.
    #[must_use]
    pub fn sentence(&self) -> String {
        let IdenticalPlay { players, positions, same_moves, same_games } = self;
        let share = (1000 * same_moves / positions) as f64 / 10.0;
        let pair = if players.len() > 2 { " (the pair with the smallest share)" } else { "" };
        format!(
            "{} have different files and play alike: the same move in {same_moves} of {positions} positions in which \
             both had a choice ({share} %), and {same_games} equal games{pair}; that is no proof of copying, since \
             simple games and simple rules lead to the same moves",
            listed(players)
        )
    }
}

impl PlayComparison {
    /// The notes.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let of_shared = |players: &Vec<String>| {
            format!("{} have the same files and the same command, and share their games", listed(players))
        };
        self.shared.iter().map(of_shared).chain(self.identical.iter().map(IdenticalPlay::sentence)).collect()
    }
}

fn listed(players: &[String]) -> String {
    match players {
        [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        players => players.concat(),
    }
}

/// A game as one program saw it: board and moves, and its side.
type OwnGame<'a> = (Side, &'a str, &'a str, &'a str);

impl EventReview {
    /// Looks for programs that play the same, and keeps what it finds for the organizers. Built-in players are left out: what they play
    /// is known. Programs that are the same by content are compared with others once.
    pub fn compare_play(&mut self, catalog: &'static Catalog) {
        let (entrants, programs) = (&self.field.entrants, &self.field.programs);
        let mut by_key: BTreeMap<[u8; 32], Vec<usize>> = BTreeMap::new();
        for player in (0..entrants.len()).filter(|&player| programs[player].is_some()) {
            by_key.entry(entrants[player].key).or_default().push(player);
        }
        let name = |&player: &usize| entrants[player].name.clone();
        let mut shared: Vec<&Vec<usize>> = by_key.values().filter(|players| players.len() > 1).collect();
        shared.sort_unstable();
        let shared = shared.into_iter().map(|players| players.iter().map(name).collect()).collect();
        let mut first: Vec<usize> = by_key.values().map(|players| players[0]).collect();
        first.sort_unstable();
        let identical =
            if first.len() <= MAX_PROGRAMS { self.identical(&first, catalog) } else { Vec::new() };
        self.play = PlayComparison { identical, shared };
    }

    fn identical(&self, players: &[usize], catalog: &'static Catalog) -> Vec<IdenticalPlay> {
        let games: Vec<BTreeSet<OwnGame<'_>>> =
            players.iter().map(|&player| self.own_games(player)).collect();
        let mut decisions: BTreeMap<usize, Decisions> = BTreeMap::new();
        let mut found: Vec<([usize; 2], IdenticalPlay)> = Vec::new();
        for (i, own) in games.iter().enumerate() {
            for (j, other) in games.iter().enumerate().skip(i + 1) {
                let same_games = own.intersection(other).count();
                if same_games < MIN_GAMES {
                    continue;
                }
                for k in [i, j] {
                    decisions.entry(k).or_insert_with(|| decided(&games[k], catalog));
                }
                let (one, two) = (&decisions[&i], &decisions[&j]);
                let both: Vec<bool> = one.iter().filter_map(|(at, mv)| Some(two.get(at)? == mv)).collect();
                let (positions, same_moves) = (both.len(), both.iter().filter(|same| **same).count());
                if positions >= MIN_POSITIONS && same_moves as f64 >= MIN_SHARE * positions as f64 {
                    let name = |k: usize| self.field.entrants[players[k]].name.clone();
                    let players = vec![name(i), name(j)];
                    found.push(([i, j], IdenticalPlay { players, positions, same_moves, same_games }));
                }
            }
        }
        merged(found)
    }

    /// The games of a player, each once.
    fn own_games(&self, player: usize) -> BTreeSet<OwnGame<'_>> {
        let mut own = BTreeSet::new();
        for game in self.results.pair_results().iter().flat_map(palestra_tournament::PairResult::played) {
            for side in Side::BOTH {
                // The moves before a failure say little, and the two may fail in different ways.
                if game.seats[side.index()] == player && game.record.forfeit.is_none() {
                    let start = &game.pairing.start;
                    own.insert((
                        side,
                        start.game.as_str(),
                        game.record.opening.as_str(),
                        game.record.moves.as_str(),
                    ));
                }
            }
        }
        own
    }
}

/// The choices of a player: by board and moves before, the move.
type Decisions = BTreeMap<String, String>;

fn decided(games: &BTreeSet<OwnGame<'_>>, catalog: &'static Catalog) -> Decisions {
    let mut decisions = Decisions::new();
    for &(side, board, opening, moves) in games.iter().take(MAX_GAMES) {
        let Ok(game) = catalog.open(board) else { continue };
        let Ok(mut session) = game.session(None, opening) else { continue };
        let mut at = format!("{board} {opening}");
        // The moves of events are separated by blanks.
        for mv in moves.split_whitespace() {
            if session.to_move() == side && session.legal().len() > 1 {
                decisions.entry(at.clone()).or_insert_with(|| mv.to_owned());
            }
            if session.play(mv).is_err() {
                break;
            }
            at.push(' ');
            at.push_str(mv);
        }
    }
    decisions
}

/// Joins pairs with a common player.
fn merged(pairs: Vec<([usize; 2], IdenticalPlay)>) -> Vec<IdenticalPlay> {
    let mut groups: Vec<(BTreeSet<usize>, IdenticalPlay)> = Vec::new();
    for (pair, found) in pairs {
        let (joined, rest): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|(members, _)| pair.iter().any(|player| members.contains(player)));
        let mut members = BTreeSet::from(pair);
        let mut sum = found;
        for (others, other) in joined {
            members.extend(others);
            let names: Vec<String> =
                sum.players.iter().filter(|name| !other.players.contains(name)).cloned().collect();
            let (share, least) = (sum.same_moves * other.positions, other.same_moves * sum.positions);
            let mut all = other.players.clone();
            all.extend(names);
            sum = IdenticalPlay { players: all, ..if least <= share { other } else { sum } };
        }
        groups = rest;
        groups.push((members, sum));
    }
    groups.sort_by_key(|(members, _)| members.first().copied());
    groups.into_iter().map(|(_, found)| found).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs with common players are one note, with the numbers of the pair that agrees least.
    #[test]
    fn pairs_are_joined() {
        let pair = |[one, two]: [usize; 2], same_moves| {
            let players = [one, two].map(|player| format!("p{player}")).to_vec();
            ([one, two], IdenticalPlay { players, positions: 100, same_moves, same_games: 9 })
        };
        let notes = merged(vec![pair([3, 4], 100), pair([0, 2], 99), pair([0, 5], 98), pair([2, 5], 100)]);
        let seen: Vec<(String, usize)> =
            notes.iter().map(|note| (note.players.join(" "), note.same_moves)).collect();
        assert_eq!(seen, [("p0 p2 p5".to_owned(), 98), ("p3 p4".to_owned(), 100)]);
        let sentence = notes[0].sentence();
        assert!(sentence.starts_with("p0, p2 and p5 have different files and play alike: "), "{sentence}");
        assert!(sentence.contains("98 of 100 positions in which both had a choice (98 %)"), "{sentence}");
    }
}
