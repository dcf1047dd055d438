//! The page of a game, and the form for a line of play.

use super::address::encoded;
use super::curves::{self, Curve};
use super::evidence::Evidence;
use super::explanation::{self, Explanation, Voter};
use super::head::Head;
use super::moves::{Turn, turns};
use super::replay::Replay;
use super::subject::{Asked, Subject};
use super::words;
use crate::board;
use crate::config::Config;
use crate::pages::Frame;
use crate::refusal::Refusal;
use crate::visitor::Language;
use askama::Template;
use palestra_arena::Catalog;

#[derive(Template)]
#[template(path = "game.html")]
struct Page {
    frame: Frame,
    head: Head,
    ply: usize,
    n_plies: usize,
    board: String,
    said: String,
    /// The page up to where `ply=` goes, and what forms repeat of it.
    open: String,
    path: String,
    query: Vec<(&'static str, String)>,
    /// The page at the plies that the buttons lead to.
    to: Steps,
    boards: String,
    explain: String,
    text_address: String,
    text: String,
    play: Option<String>,
    turns: Vec<Turn>,
    curves: Vec<Curve>,
    chart: String,
    rows: Vec<TableRow>,
    has_times: bool,
    voters: Vec<Voter>,
    chosen_voter: String,
    explanation: Option<Explanation>,
}

struct Steps {
    first: String,
    previous: String,
    next: String,
    last: String,
}

/// A ply in the table below the curves.
struct TableRow {
    ply: usize,
    mv: String,
    values: Vec<String>,
    time: String,
}

pub(super) fn render(
    catalog: &Catalog,
    frame: Frame,
    subject: &Subject,
    asked: &Asked,
) -> Result<String, Refusal> {
    let language = frame.language;
    let evidence = Evidence::of(subject.stored.as_deref());
    let mut players = Vec::new();
    let replay = Replay::with_values(catalog, subject, |game| {
        players = curves::players(game, subject);
        players.iter().map(|(_, player)| player.clone()).collect()
    })?;
    let n_plies = replay.n_plies();
    let ply = asked.ply(n_plies)?;
    let explanation = asked
        .wants_explanation()
        .then(|| Explanation::new(language, subject, &replay, ply, asked))
        .transpose()?;
    let curves = curves::curves(language, &replay, &evidence, &players);
    let address = &subject.address;
    let moment = &replay.moments[ply];
    let voters = explanation::voters(language, replay.game.as_ref(), subject);
    let usual = explanation::usual(&voters, moment.to_move);
    let chosen_voter = asked.player.as_deref().filter(|code| !code.is_empty()).unwrap_or(usual).to_owned();
    let said = words::position(language, &replay, ply);
    let page = Page {
        head: Head::new(language, subject, &replay, &evidence),
        ply,
        n_plies,
        board: board::picture(&moment.grid, language.pick("Board", "Tablero")),
        said,
        open: address.open(),
        path: address.path(),
        query: address.query().to_vec(),
        to: Steps {
            first: address.at(0),
            previous: address.at(ply.saturating_sub(1)),
            next: address.at((ply + 1).min(n_plies)),
            last: address.at(n_plies),
        },
        boards: address.part("boards.json"),
        explain: address.part("explain"),
        text_address: address.part("text"),
        text: replay.to_text(subject),
        play: moment.ending.is_none().then(|| play_on(subject, &replay, ply)),
        turns: turns(&replay, ply),
        chart: curves::picture(language, &curves, &replay, ply),
        rows: table(language, &replay, &evidence, &curves),
        has_times: !evidence.micros.is_empty(),
        curves,
        voters,
        chosen_voter,
        explanation,
        frame,
    };
    page.render().map_err(|_| Refusal::broken())
}

/// Only the reasons.
pub(super) fn explanation_only(
    catalog: &Catalog,
    language: Language,
    subject: &Subject,
    asked: &Asked,
) -> Result<String, Refusal> {
    let replay = Replay::new(catalog, subject)?;
    let ply = asked.ply(replay.n_plies())?;
    let explanation = Explanation::new(language, subject, &replay, ply, asked)?;
    explanation.render().map_err(|_| Refusal::broken())
}

/// Where the game can be played on from a ply.
fn play_on(subject: &Subject, replay: &Replay, ply: usize) -> String {
    let setup = subject.setup.as_ref().map_or_else(String::new, |setup| format!("&setup={}", encoded(setup)));
    format!(
        "/play?game={}{setup}&moves={}&side={}",
        encoded(&replay.game.name()),
        encoded(&replay.moves[..ply].join(" ")),
        words::side_code(replay.moments[ply].to_move)
    )
}

fn table(language: Language, replay: &Replay, evidence: &Evidence, curves: &[Curve]) -> Vec<TableRow> {
    let value =
        |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| words::number(language, value));
    let row = |ply: usize| {
        let turn = ply.checked_sub(replay.n_opening + 1);
        let micros = turn.and_then(|turn| evidence.micros.get(turn).copied().flatten());
        TableRow {
            ply,
            mv: ply.checked_sub(1).map_or_else(|| "–".to_owned(), |i| replay.moves[i].clone()),
            values: curves.iter().map(|curve| value(curve.values[ply])).collect(),
            time: micros.map_or_else(String::new, words::time),
        }
    };
    (0..replay.moments.len()).map(row).collect()
}

/// The form for a line of play.
#[derive(Template)]
#[template(path = "game_form.html")]
pub(super) struct Form {
    frame: Frame,
    games: Vec<&'static str>,
}

impl Form {
    pub(super) fn new(frame: Frame, config: &Config) -> Form {
        let aliases = |family: &'static palestra_core::FamilyInfo| {
            family.aliases.iter().map(|(alias, _)| *alias).chain(family.samples.iter().copied())
        };
        Form { frame, games: config.catalog.families().flat_map(aliases).collect() }
    }
}
