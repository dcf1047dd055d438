//! The page of a game, and the form for a game in the query.

use super::address::GameUrl;
use super::boards;
use super::curves::{self, EvaluationCurve};
use super::explanation::{self, Explainer, Explanation};
use super::head::GameHeader;
use super::labels;
use super::moves::{MoveListRow, turns};
use super::replay::Replay;
use super::subject::{GameQuery, ShownGame};
use crate::board;
use crate::config::Config;
use crate::http_error::HttpError;
use crate::pages::PageFrame;
use crate::url::encoded;
use crate::viewer::Language;
use askama::Template;
use palestra_arena::{Catalog, GameEvidence};

#[derive(Template)]
#[template(path = "game.html")]
struct Page {
    frame: PageFrame,
    head: GameHeader,
    ply: usize,
    n_plies: usize,
    board: String,
    said: String,
    address: GameUrl,
    /// Its path, and the parameters that forms repeat.
    path: String,
    query: Vec<(&'static str, String)>,
    /// Targets of the buttons.
    to: PlyLinks,
    /// All boards as JSON, which the template does not escape.
    boards: String,
    /// URLs of the explanation and the text file.
    explain: String,
    text_address: String,
    text: String,
    /// Commands that show the last position, and that play a failure again.
    commands: Vec<String>,
    /// Whether the game does not count, because a player is disqualified.
    is_void: bool,
    /// URL to continue from this ply; `None` where the game is over.
    play: Option<String>,
    turns: Vec<MoveListRow>,
    curves: Vec<EvaluationCurve>,
    chart: String,
    rows: Vec<PlyRow>,
    has_times: bool,
    /// Players that can explain a move, and the code of the selected one.
    explainers: Vec<Explainer>,
    chosen_voter: String,
    explanation: Option<Explanation>,
}

struct PlyLinks {
    first: String,
    previous: String,
    next: String,
    last: String,
}

/// A ply in the table of values.
struct PlyRow {
    ply: usize,
    mv: String,
    values: Vec<String>,
    time: String,
}

pub(super) fn render(
    catalog: &Catalog,
    frame: PageFrame,
    subject: &ShownGame,
    query: &GameQuery,
    is_void: bool,
) -> Result<String, HttpError> {
    let language = frame.language;
    let evidence = subject.stored.as_ref().and_then(|stored| stored.game.record.evidence.as_deref());
    let evidence = evidence.cloned().unwrap_or_default();
    let mut players = Vec::new();
    let replay = Replay::with_values(catalog, subject, |game| {
        players = curves::players(game, subject);
        players.iter().map(|(_, player)| player.clone()).collect()
    })?;
    let n_plies = replay.n_plies();
    let ply = query.ply(n_plies)?;
    let explanation = query
        .wants_explanation()
        .then(|| Explanation::new(language, subject, &replay, ply, query))
        .transpose()?;
    let curves = curves::curves(language, &replay, &evidence, &players);
    let address = &subject.address;
    let position = &replay.positions[ply];
    let explainers = explanation::explainers(language, replay.game.as_ref(), subject);
    let default = explanation::default_explainer(&explainers, position.to_move);
    let chosen = query.player.as_deref().filter(|code| !code.is_empty()).unwrap_or(default).to_owned();
    let said = labels::position(language, &replay, ply);
    let page = Page {
        head: GameHeader::new(language, subject, &replay, &evidence),
        ply,
        n_plies,
        board: board::picture(&position.grid, language.pick("Board", "Tablero")),
        said,
        path: address.path(),
        query: address.query().to_vec(),
        to: PlyLinks {
            first: address.at(0),
            previous: address.at(ply.saturating_sub(1)),
            next: address.at((ply + 1).min(n_plies)),
            last: address.at(n_plies),
        },
        boards: boards::json(&replay, subject, language)?,
        commands: commands(subject, &replay),
        is_void,
        address: address.clone(),
        explain: address.part("explain"),
        text_address: address.part("text"),
        text: replay.to_text(subject),
        play: position.ending.is_none().then(|| play_on(subject, &replay, ply)),
        turns: turns(&replay, ply),
        chart: curves::picture(language, &curves, &replay, ply),
        rows: table(language, &replay, &evidence, &curves),
        has_times: !evidence.micros.is_empty(),
        curves,
        explainers,
        chosen_voter: chosen,
        explanation,
        frame,
    };
    page.render().map_err(|_| HttpError::internal_error())
}

/// Renders the explanation alone.
pub(super) fn explanation_only(
    catalog: &Catalog,
    language: Language,
    subject: &ShownGame,
    query: &GameQuery,
) -> Result<String, HttpError> {
    let replay = Replay::new(catalog, subject)?;
    let ply = query.ply(replay.n_plies())?;
    let explanation = Explanation::new(language, subject, &replay, ply, query)?;
    explanation.render().map_err(|_| HttpError::internal_error())
}

/// Commands about the game, for a terminal.
fn commands(subject: &ShownGame, replay: &Replay) -> Vec<String> {
    let setup = subject.setup.as_ref().map_or_else(String::new, |setup| format!(" --setup '{setup}'"));
    let program = palestra_arena::program_name();
    let show = format!("{program} show {}{setup} {}", replay.game.name(), replay.moves.join(" "));
    let failed = subject.stored.as_ref().filter(|stored| stored.game.record.forfeit.is_some());
    let again = failed.map(|stored| format!("{program} engine replay {}", stored.id));
    std::iter::once(show.trim_end().to_owned()).chain(again).collect()
}

/// The URL to continue the game from a ply.
fn play_on(subject: &ShownGame, replay: &Replay, ply: usize) -> String {
    let setup = subject.setup.as_ref().map_or_else(String::new, |setup| format!("&setup={}", encoded(setup)));
    format!(
        "/play?game={}{setup}&moves={}&side={}",
        encoded(&replay.game.name()),
        encoded(&replay.moves[..ply].join(" ")),
        labels::side_code(replay.positions[ply].to_move)
    )
}

fn table(
    language: Language,
    replay: &Replay,
    evidence: &GameEvidence,
    curves: &[EvaluationCurve],
) -> Vec<PlyRow> {
    let value =
        |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| labels::number(language, value));
    let row = |ply: usize| {
        let turn = ply.checked_sub(replay.n_opening + 1);
        let micros = turn.and_then(|turn| evidence.micros.get(turn).copied().flatten());
        PlyRow {
            ply,
            mv: ply.checked_sub(1).map_or_else(|| "–".to_owned(), |i| replay.moves[i].clone()),
            values: curves.iter().map(|curve| value(curve.values[ply])).collect(),
            time: micros.map_or_else(String::new, labels::time),
        }
    };
    (0..replay.positions.len()).map(row).collect()
}

/// The form for a game in the query.
#[derive(Template)]
#[template(path = "game_form.html")]
pub(super) struct LineForm {
    frame: PageFrame,
    games: Vec<&'static str>,
    default_game: &'static str,
}

impl LineForm {
    pub(super) fn new(frame: PageFrame, config: &Config) -> LineForm {
        let aliases = |family: &'static palestra_core::FamilyInfo| {
            family.aliases.iter().map(|(alias, _)| *alias).chain(family.samples.iter().copied())
        };
        let games = config.catalog.families().flat_map(aliases).collect();
        LineForm { frame, games, default_game: config.catalog.default_game() }
    }
}
