//! Why a move: what each feature adds for every legal move, what was played, and what others would play.

use super::cost::AffordablePlayer;
use super::head::is_program;
use super::labels;
use super::opinion::OracleValues;
use super::replay::Replay;
use super::subject::{GameQuery, ShownGame};
use crate::http_error::HttpError;
use crate::viewer::Language;
use askama::Template;
use palestra_arena::{AnyGame, ExplainedPosition, MoveReason};
use palestra_core::{InputError, Seed, Side, named_players};
use std::fmt::Write;

/// Moves that are shown at once; the rest can be opened.
const SHOWN: usize = 12;

/// Somebody whose reasons can be asked for.
pub(super) struct Explainer {
    /// What the address calls it.
    pub(super) code: String,
    pub(super) label: String,
    player: String,
}

/// Everybody whose reasons can be asked for: the players, the game's own opponent, players with names.
pub(super) fn explainers(language: Language, game: &dyn AnyGame, subject: &ShownGame) -> Vec<Explainer> {
    let own = Side::BOTH.into_iter().filter_map(|side| {
        let player = subject.player(side.index()).filter(|player| !is_program(player))?;
        game.player(player).ok()?;
        let shown: String = player.chars().take(60).collect();
        let label = format!("{}: {shown}", labels::side(language, side));
        Some(Explainer { code: labels::side_code(side).to_owned(), label, player: player.to_owned() })
    });
    let opponent = language.pick("the game's own opponent", "el rival propio del juego");
    let opponent =
        Explainer { code: "opponent".to_owned(), label: opponent.to_owned(), player: game.opponent() };
    let named = named_players(game.family().players).filter(|named| game.player(named.name).is_ok());
    let named = named.map(|named| {
        let name = named.name.to_owned();
        Explainer { code: name.clone(), label: name.clone(), player: name }
    });
    own.chain([opponent]).chain(named).collect()
}

/// Who is asked if nobody is named: whoever has the move, or the game's own opponent.
pub(super) fn default_explainer(voters: &[Explainer], to_move: Side) -> &str {
    let code = labels::side_code(to_move);
    if voters.iter().any(|voter| voter.code == code) { code } else { "opponent" }
}

/// The reasons at one ply, as a part of a page.
#[derive(Template)]
#[template(path = "game_explanation.html")]
pub(super) struct Explanation {
    language: Language,
    ply: usize,
    /// Whose turn it is; nobody's in an ended game.
    to_move: Option<&'static str>,
    /// The player that was asked.
    player: String,
    /// Who was meant, where another was asked in its place.
    instead_of: Option<String>,
    played: Option<String>,
    chosen: Option<String>,
    rows: Vec<Row>,
    more: Vec<Row>,
    /// Each feature in words.
    meanings: Vec<(&'static str, &'static str)>,
    /// Whether values come of looking ahead, and not of the features alone.
    looks_ahead: bool,
    has_values: bool,
    opinion: Option<OracleSummary>,
}

/// One legal move.
struct Row {
    mv: String,
    is_played: bool,
    is_chosen: bool,
    is_best: bool,
    /// As a person reads it, and as it is.
    value: Option<(String, f64)>,
    judged: Option<String>,
    sum: String,
    bar: String,
    terms: Vec<Term>,
}

/// One feature of a move.
struct Term {
    name: &'static str,
    meaning: &'static str,
    feature: i32,
    weight: String,
    adds: String,
    exact: f64,
    bar: String,
}

/// What somebody who knows better said.
struct OracleSummary {
    is_exact: bool,
    is_finished: bool,
    best: Vec<String>,
    value: String,
    nodes: String,
    n_looked: usize,
    n_moves: usize,
    /// What the move that was played is worth, where that is less.
    played: Option<String>,
}

impl Explanation {
    fn t<'a>(&self, english: &'a str, spanish: &'a str) -> &'a str {
        self.language.pick(english, spanish)
    }

    pub(super) fn new(
        language: Language,
        subject: &ShownGame,
        replay: &Replay,
        ply: usize,
        asked: &GameQuery,
    ) -> Result<Explanation, HttpError> {
        let session = replay.session_at(ply)?;
        let game = replay.game.as_ref();
        let voters = explainers(language, game, subject);
        let usual = default_explainer(&voters, session.to_move());
        let code = asked.player.as_deref().filter(|code| !code.is_empty()).unwrap_or(usual);
        let known = voters.iter().map(|voter| voter.code.as_str());
        let voter = voters
            .iter()
            .find(|voter| voter.code == code)
            .ok_or_else(|| InputError::unknown("as", code, "a player to explain as", known))?;
        let meant = game.player(&voter.player)?;
        let legal = session.legal();
        let affordable = AffordablePlayer::new(game, &meant, legal.len());
        let seed = subject.stored.as_ref().map_or(0, |stored| stored.game.seed);
        let explained = session.explain(&affordable.player, Seed(seed).child(ply as u64))?;
        let played = replay.moves.get(ply).cloned();
        let place = |mv: &Option<String>| legal.iter().position(|known| Some(known) == mv.as_ref());
        let mut order: Vec<usize> = (0..legal.len()).collect();
        let value = |i: usize| explained.moves[i].value.unwrap_or(f64::NEG_INFINITY);
        order.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
        let opinion = (asked.wants_oracle() && !legal.is_empty()).then(|| {
            // What somebody wants to know of comes before time is up.
            let mut first: Vec<usize> =
                [place(&played), place(&explained.chosen)].into_iter().flatten().collect();
            first.dedup();
            let rest: Vec<usize> = order.iter().copied().filter(|i| !first.contains(i)).collect();
            first.extend(rest);
            OracleValues::compute(session.as_ref(), legal.len(), &first)
        });
        let meanings = meanings(game, &explained);
        let drawing = ContributionBars::new(language, &explained, &meanings);
        let mut rows: Vec<Row> = Vec::new();
        for &i in &order {
            let judged = opinion.as_ref().and_then(|opinion| opinion.values[i]);
            let best = opinion.as_ref().and_then(OracleValues::best);
            let mut row = drawing.row(&explained.moves[i]);
            row.is_played = played.as_ref() == Some(&row.mv);
            row.is_chosen = explained.chosen.as_ref() == Some(&row.mv);
            row.is_best = judged.is_some() && judged == best;
            row.judged = judged.map(|value| labels::number(language, value));
            rows.push(row);
        }
        let opinion = opinion.map(|opinion| spoken(language, &opinion, &legal, place(&played)));
        let more = rows.split_off(rows.len().min(SHOWN));
        Ok(Explanation {
            language,
            ply,
            to_move: session.ending().is_none().then(|| labels::side(language, session.to_move())),
            instead_of: affordable.is_reduced.then(|| meant.to_string()),
            played,
            chosen: explained.chosen.clone(),
            has_values: rows.iter().any(|row| row.value.is_some()),
            rows,
            more,
            looks_ahead: !explained.player.starts_with("greedy") && explained.nodes > 0,
            player: explained.player,
            meanings,
            opinion,
        })
    }
}

/// The features that a player weighs, in words.
fn meanings(game: &dyn AnyGame, explained: &ExplainedPosition) -> Vec<(&'static str, &'static str)> {
    let evaluations = game.evaluations();
    let same = |names: &[palestra_core::Feature]| {
        names.iter().map(|feature| feature.name).eq(explained.names.iter().copied())
    };
    let Some(found) = evaluations.iter().find(|evaluation| same(&evaluation.features)) else {
        return explained.names.iter().map(|&name| (name, "")).collect();
    };
    found.features.iter().map(|feature| (feature.name, feature.meaning)).collect()
}

fn spoken(
    language: Language,
    opinion: &OracleValues,
    legal: &[String],
    played: Option<usize>,
) -> OracleSummary {
    let best = opinion.best();
    let is_best = |i: &usize| opinion.values[*i].is_some() && opinion.values[*i] == best;
    let played = played.and_then(|i| opinion.values[i]).filter(|&value| Some(value) != best);
    OracleSummary {
        is_exact: opinion.is_exact,
        is_finished: opinion.is_finished(),
        best: (0..legal.len()).filter(is_best).map(|i| legal[i].clone()).collect(),
        value: best.map_or_else(String::new, |best| labels::number(language, best)),
        nodes: palestra_review::grouped(opinion.nodes),
        n_looked: opinion.n_looked(),
        n_moves: legal.len(),
        played: played.map(|value| labels::number(language, value)),
    }
}

/// How bars are drawn: all moves on the same scale.
struct ContributionBars<'a> {
    language: Language,
    explained: &'a ExplainedPosition,
    meanings: &'a [(&'static str, &'static str)],
    /// The largest that one feature adds, and the largest of all that speaks for or against a move.
    largest: f64,
    widest: f64,
}

/// Room of a bar, half of it for either sign.
const BAR: f64 = 240.0;

impl<'a> ContributionBars<'a> {
    fn new(
        language: Language,
        explained: &'a ExplainedPosition,
        meanings: &'a [(&'static str, &'static str)],
    ) -> ContributionBars<'a> {
        let all = || explained.moves.iter();
        let largest =
            all().flat_map(|reason| &reason.contributions).map(|adds| adds.abs()).fold(0.0, f64::max);
        let widest = all().flat_map(|reason| both_ways(&reason.contributions)).fold(0.0, f64::max);
        ContributionBars { language, explained, meanings, largest, widest }
    }

    fn row(&self, reason: &MoveReason) -> Row {
        let number = |value| labels::number(self.language, value);
        let term = |i: usize| {
            let adds = reason.contributions[i];
            let (name, meaning) = self.meanings[i];
            Term {
                name,
                meaning,
                feature: reason.features[i],
                weight: number(self.explained.weights[i]),
                adds: number(adds),
                exact: adds,
                bar: bar(&[adds], self.largest),
            }
        };
        Row {
            mv: reason.mv.clone(),
            is_played: false,
            is_chosen: false,
            is_best: false,
            value: reason.value.map(|value| (number(value), value)),
            judged: None,
            sum: number(reason.contributions.iter().sum()),
            bar: bar(&reason.contributions, self.widest),
            terms: (0..reason.contributions.len()).map(term).collect(),
        }
    }
}

/// What speaks for a move, and what against it.
fn both_ways(contributions: &[f64]) -> [f64; 2] {
    let total = |sign: f64| contributions.iter().map(|adds| (sign * adds).max(0.0)).sum();
    [total(1.0), total(-1.0)]
}

/// Contributions side by side: what speaks for a move to the right, what speaks against it to the left.
fn bar(contributions: &[f64], scale: f64) -> String {
    let middle = BAR / 2.0;
    let mut svg = format!(
        "<svg class=\"bar\" viewBox=\"0 0 {BAR} 14\" width=\"{BAR}\" height=\"14\" aria-hidden=\"true\" focusable=\"false\">"
    );
    let mut ends = [middle; 2];
    for adds in contributions.iter().filter(|adds| adds.is_finite() && **adds != 0.0) {
        let width = if scale > 0.0 { (adds.abs() / scale * middle).min(middle) } else { 0.0 };
        let (class, x) = if *adds > 0.0 {
            ends[0] += width;
            ("plus", ends[0] - width)
        } else {
            ends[1] -= width;
            ("minus", ends[1])
        };
        let _ =
            write!(svg, "<rect class=\"{class}\" x=\"{x:.1}\" y=\"2\" width=\"{width:.1}\" height=\"10\"/>");
    }
    let _ = write!(svg, "<line class=\"zero\" x1=\"{middle}\" y1=\"0\" x2=\"{middle}\" y2=\"14\"/></svg>");
    svg
}
