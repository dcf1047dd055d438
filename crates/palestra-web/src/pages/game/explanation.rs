//! The explanation of a position: the contribution of each feature to the value of every legal move, with the move that
//! was played, the player's choice and the oracle's values.

use super::cost::AffordablePlayer;
use super::head::is_program;
use super::labels;
use super::opinion::OracleValues;
use super::replay::Replay;
use super::subject::{GameQuery, ShownGame};
use crate::http_error::HttpError;
use crate::viewer::Language;
use askama::Template;
use palestra_arena::{AnyGame, ExplainedPosition, MoveReason, PlayerSpec};
use palestra_core::{InputError, Seed, Side, named_players};
use std::fmt::Write;

/// Number of moves that are shown open; the rest is in a collapsed list.
const N_SHOWN: usize = 12;

/// A player that can explain moves.
pub(super) struct Explainer {
    /// Its value of the query parameter `as`.
    pub(super) code: String,
    pub(super) label: String,
    player: PlayerSpec,
}

/// The players that can explain moves: those of the game, the game's own opponent, named players.
pub(super) fn explainers(language: Language, game: &dyn AnyGame, subject: &ShownGame) -> Vec<Explainer> {
    let own = Side::BOTH.into_iter().filter_map(|side| {
        let player = subject.player(side.index()).filter(|player| !is_program(player))?;
        let spec = game.player(player).ok()?;
        let shown: String = player.chars().take(60).collect();
        let label = format!("{}: {shown}", labels::side(language, side));
        Some(Explainer { code: labels::side_code(side).to_owned(), label, player: spec })
    });
    let opponent = language.pick("the game's own opponent", "el rival propio del juego");
    let opponent =
        Explainer { code: "opponent".to_owned(), label: opponent.to_owned(), player: game.opponent() };
    let named = named_players(game.family().players).filter_map(|named| {
        let (name, player) = (named.name.to_owned(), game.player(named.name).ok()?);
        Some(Explainer { code: name.clone(), label: name, player })
    });
    own.chain([opponent]).chain(named).collect()
}

/// The explainer by default: the player to move, or the game's own opponent.
pub(super) fn default_explainer(explainers: &[Explainer], to_move: Side) -> &str {
    let code = labels::side_code(to_move);
    if explainers.iter().any(|explainer| explainer.code == code) { code } else { "opponent" }
}

/// The explanation of one ply, as a part of a page.
#[derive(Template)]
#[template(path = "game_explanation.html")]
pub(super) struct Explanation {
    language: Language,
    ply: usize,
    /// The side to move; `None` in an ended game.
    to_move: Option<&'static str>,
    /// The player that explains.
    player: String,
    /// The requested player, where another one explains instead.
    instead_of: Option<String>,
    played: Option<String>,
    chosen: Option<String>,
    rows: Vec<Row>,
    more: Vec<Row>,
    /// Names and meanings of the features.
    meanings: Vec<(&'static str, &'static str)>,
    /// Whether the values come from a search, and not from the features alone.
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
    /// As text and as a number.
    value: Option<(String, f64)>,
    /// The oracle's value.
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
    /// Its contribution to the value, as text and as a number.
    adds: String,
    exact: f64,
    bar: String,
}

/// The result of the oracle.
struct OracleSummary {
    is_exact: bool,
    is_finished: bool,
    best: Vec<String>,
    value: String,
    nodes: String,
    /// Number of moves that were searched in time, and of all moves.
    n_looked: usize,
    n_moves: usize,
    /// The value of the move that was played, where it is not the best.
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
        query: &GameQuery,
    ) -> Result<Explanation, HttpError> {
        let session = replay.session_at(ply)?;
        let game = replay.game.as_ref();
        let explainers = explainers(language, game, subject);
        let default = default_explainer(&explainers, session.to_move());
        let code = query.player.as_deref().filter(|code| !code.is_empty()).unwrap_or(default);
        let known = explainers.iter().map(|explainer| explainer.code.as_str());
        let explainer = explainers
            .iter()
            .find(|explainer| explainer.code == code)
            .ok_or_else(|| InputError::unknown("as", code, "a player to explain as", known))?;
        let requested = &explainer.player;
        let legal = session.legal();
        let affordable = AffordablePlayer::new(game, requested, legal.len());
        let seed = subject.stored.as_ref().map_or(0, |stored| stored.game.seed);
        let explained = session.explain(&affordable.player, Seed(seed).child(ply as u64));
        let played = replay.moves.get(ply).cloned();
        let index = |mv: &Option<String>| legal.iter().position(|known| Some(known) == mv.as_ref());
        let mut order: Vec<usize> = (0..legal.len()).collect();
        let value = |i: usize| explained.moves[i].value.unwrap_or(f64::NEG_INFINITY);
        order.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
        let oracle = (query.wants_oracle() && !legal.is_empty()).then(|| {
            // The played and the chosen move first: the time may not suffice for all.
            let mut first: Vec<usize> =
                [index(&played), index(&explained.chosen)].into_iter().flatten().collect();
            first.dedup();
            let rest: Vec<usize> = order.iter().copied().filter(|i| !first.contains(i)).collect();
            first.extend(rest);
            OracleValues::compute(session.as_ref(), legal.len(), &first)
        });
        let meanings = meanings(game, &explained);
        let drawing = ContributionBars::new(language, &explained, &meanings);
        let mut rows: Vec<Row> = Vec::new();
        for &i in &order {
            let judged = oracle.as_ref().and_then(|oracle| oracle.values[i]);
            let best = oracle.as_ref().and_then(OracleValues::best);
            let mut row = drawing.row(&explained.moves[i]);
            row.is_played = played.as_ref() == Some(&row.mv);
            row.is_chosen = explained.chosen.as_ref() == Some(&row.mv);
            row.is_best = judged.is_some() && judged == best;
            row.judged = judged.map(|value| labels::number(language, value));
            rows.push(row);
        }
        let opinion = oracle.map(|oracle| summary(language, &oracle, &legal, index(&played)));
        let more = rows.split_off(rows.len().min(N_SHOWN));
        Ok(Explanation {
            language,
            ply,
            to_move: session.ending().is_none().then(|| labels::side(language, session.to_move())),
            instead_of: affordable.is_reduced.then(|| requested.to_string()),
            played,
            chosen: explained.chosen.clone(),
            has_values: rows.iter().any(|row| row.value.is_some()),
            rows,
            more,
            looks_ahead: explained.looks_ahead && explained.nodes > 0,
            player: explained.player,
            meanings,
            opinion,
        })
    }
}

/// Names and meanings of the features that a player weighs.
fn meanings(game: &dyn AnyGame, explained: &ExplainedPosition) -> Vec<(&'static str, &'static str)> {
    let evaluations = game.evaluations();
    let same = |names: &[palestra_core::Feature]| {
        names.iter().map(|feature| feature.name).eq(explained.names.iter().copied())
    };
    let Some(evaluation) = evaluations.iter().find(|evaluation| same(&evaluation.features)) else {
        return explained.names.iter().map(|&name| (name, "")).collect();
    };
    evaluation.features.iter().map(|feature| (feature.name, feature.meaning)).collect()
}

fn summary(
    language: Language,
    oracle: &OracleValues,
    legal: &[String],
    played: Option<usize>,
) -> OracleSummary {
    let best = oracle.best();
    let is_best = |i: &usize| oracle.values[*i].is_some() && oracle.values[*i] == best;
    let played = played.and_then(|i| oracle.values[i]).filter(|&value| Some(value) != best);
    OracleSummary {
        is_exact: oracle.is_exact,
        is_finished: oracle.is_finished(),
        best: (0..legal.len()).filter(is_best).map(|i| legal[i].clone()).collect(),
        value: best.map_or_else(String::new, |best| labels::number(language, best)),
        nodes: palestra_review::grouped(oracle.nodes),
        n_looked: oracle.n_looked(),
        n_moves: legal.len(),
        played: played.map(|value| labels::number(language, value)),
    }
}

/// Draws the bars of contributions: all moves on the same scale.
struct ContributionBars<'a> {
    language: Language,
    explained: &'a ExplainedPosition,
    meanings: &'a [(&'static str, &'static str)],
    /// The largest contribution of one feature, and the largest sum of one sign over the features of a move.
    largest: f64,
    widest: f64,
}

/// Width of a bar in pixels, half of it for either sign.
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
        let widest = all().flat_map(|reason| sums_by_sign(&reason.contributions)).fold(0.0, f64::max);
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

/// Sums of the positive and of the negative contributions, both as positive numbers.
fn sums_by_sign(contributions: &[f64]) -> [f64; 2] {
    let total = |sign: f64| contributions.iter().map(|adds| (sign * adds).max(0.0)).sum();
    [total(1.0), total(-1.0)]
}

/// Contributions side by side as SVG: positive ones to the right, negative ones to the left.
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
