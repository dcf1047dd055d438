//! The head of the page: players, result and duration.

use super::labels;
use super::replay::Replay;
use super::subject::ShownGame;
use crate::pages::event::{EventUrls, stderr_sentence};
use crate::translation;
use crate::url::encoded;
use crate::viewer::Language;
use palestra_arena::{GameEvidence, TimeVerdict};
use palestra_core::Side;
use palestra_engine::ProgramSpec;
use palestra_review::event::evidence::{self, ProgramLog};

/// Limit on the lines of a log; its end is shown.
const MAX_LOG_LINES: usize = 200;

/// Data above the board.
pub(super) struct GameHeader {
    pub(super) title: String,
    pub(super) game: String,
    pub(super) family: &'static str,
    /// Name and URL of the run or event.
    pub(super) run: Option<(String, String)>,
    pub(super) round: Option<u32>,
    pub(super) seats: Vec<PlayerCard>,
    pub(super) result: String,
    /// Details of a forfeit.
    pub(super) detail: Option<String>,
    /// How the time of a loss on time was measured.
    pub(super) time_measured: Option<String>,
    pub(super) seed: Option<u64>,
    pub(super) setup: Option<String>,
    pub(super) opening: String,
    pub(super) n_opening: usize,
    pub(super) took: Option<String>,
}

/// A player of the game.
pub(super) struct PlayerCard {
    pub(super) side: Side,
    /// Name of the side.
    pub(super) words: &'static str,
    /// Its name in the event, or `a person` or `a program`.
    pub(super) name: Option<String>,
    /// URL of its page in the event.
    pub(super) link: Option<String>,
    /// The player string; none for programs and people.
    pub(super) player: Option<String>,
    /// Time that it used.
    pub(super) time: Option<String>,
    /// Number of its late moves, and by how much they were late together.
    pub(super) late: Option<(u32, String)>,
    pub(super) voice: ProgramLog,
    /// Kind and length of what it wrote to standard error, where the text is not published.
    pub(super) stderr: Option<String>,
}

/// Whether a player is an external program. Its command contains paths of the server and is not shown.
pub(super) fn is_program(player: &str) -> bool {
    ProgramSpec::is_program_text(player)
}

impl GameHeader {
    pub(super) fn new(
        language: Language,
        subject: &ShownGame,
        replay: &Replay,
        evidence: &GameEvidence,
    ) -> GameHeader {
        let stored = subject.stored.as_deref();
        let seats: Vec<PlayerCard> = match stored {
            Some(_) => Side::BOTH.map(|side| seat(language, subject, evidence, side)).into(),
            None => Vec::new(),
        };
        let names: Vec<&str> = seats.iter().filter_map(|seat| seat.name.as_deref()).collect();
        let title = match (names.as_slice(), stored) {
            ([first, second], _) => format!("{first} – {second}"),
            (_, Some(stored)) => format!("{} {}", language.pick("Game", "Partida"), stored.id),
            (_, None) => language.pick("Line of play", "Línea de juego").to_owned(),
        };
        let event = stored.and_then(|stored| stored.event.as_ref());
        let forfeit = stored.and_then(|stored| stored.game.record.forfeit.as_ref());
        let run = subject.run.as_ref().map(|run| {
            let kind = if subject.event().is_some() { "event" } else { "run" };
            (run.name.clone(), format!("/{kind}/{}", encoded(&run.name)))
        });
        GameHeader {
            title,
            game: replay.game.name(),
            family: replay.game.family().title,
            run,
            round: event.map(|event| event.round + 1),
            result: result(language, subject, replay, &seats),
            seats,
            detail: forfeit.map(|forfeit| forfeit.detail.clone()).filter(|detail| !detail.is_empty()),
            time_measured: evidence.verdict.map(|verdict| time_measured(language, &verdict)),
            seed: stored.map(|stored| stored.game.seed),
            setup: subject.setup.clone(),
            opening: replay.moves[..replay.n_opening].join(" "),
            n_opening: replay.n_opening,
            took: stored.and_then(|stored| stored.game.record.microseconds).map(labels::time),
        }
    }
}

fn seat(language: Language, subject: &ShownGame, evidence: &GameEvidence, side: Side) -> PlayerCard {
    let i = side.index();
    let player = subject.player(i).unwrap_or_default();
    let event = subject.stored.as_ref().and_then(|stored| stored.event.as_ref());
    let known = event.map(|event| [&event.first, &event.second][i].clone());
    let link = subject.event().zip(known.as_ref()).map(|(run, name)| EventUrls::of(&run.name).player(name));
    let what = match player {
        "human" => Some(language.pick("a person", "una persona")),
        player if is_program(player) => Some(language.pick("a program", "un programa")),
        _ => None,
    };
    PlayerCard {
        side,
        words: labels::side(language, side),
        name: known.or_else(|| what.map(str::to_owned)),
        link,
        player: what.is_none().then(|| player.to_owned()),
        time: event
            .and(subject.stored.as_ref())
            .map(|stored| stored.game.record.milliseconds[i])
            .filter(|&used| used > 0)
            .map(|used| labels::time(1000 * used)),
        late: Some(evidence.late[i])
            .filter(|late| !late.is_none())
            .map(|late| (late.moves, labels::time(late.micros))),
        voice: ProgramLog::of(evidence.log(side), MAX_LOG_LINES),
        stderr: subject.stderr[i].map(|summary| stderr_sentence(summary, language)),
    }
}

/// How the time of a loss on time was measured.
fn time_measured(language: Language, verdict: &TimeVerdict) -> String {
    let seconds = |micros: u64| format!("{:.3} s", micros as f64 / 1e6);
    match language {
        Language::English => evidence::time_measured(verdict),
        Language::Spanish => format!(
            "permitidos {} con un margen de {}; tardó {}, durante los que esperó {} por un núcleo; se le \
             devolvieron {}; medido {} después de su inicio",
            seconds(verdict.allowed_us),
            seconds(verdict.margin_us),
            seconds(verdict.elapsed_us),
            seconds(verdict.waited_us),
            seconds(verdict.given_back_us),
            seconds(verdict.at_us)
        ),
    }
}

/// The result in a sentence.
fn result(language: Language, subject: &ShownGame, replay: &Replay, seats: &[PlayerCard]) -> String {
    let who = |side: Side| {
        let name = seats.get(side.index()).and_then(|seat| seat.name.as_deref());
        let words = labels::side(language, side);
        name.map_or_else(|| words.to_owned(), |name| format!("{name} ({})", words.to_lowercase()))
    };
    let (winner, margin, reason) =
        match (&subject.stored, replay.positions.last().and_then(|last| last.ending)) {
            (Some(stored), _) => {
                let record = &stored.game.record;
                (record.winner, record.margin, record.reason.clone())
            }
            (None, Some(ending)) => (ending.winner, ending.margin, ending.reason.to_owned()),
            (None, None) => {
                return language.pick("The game is not over.", "La partida no ha terminado.").to_owned();
            }
        };
    if let Some(forfeit) = subject.stored.as_ref().and_then(|stored| stored.game.record.forfeit.as_ref()) {
        let (lost, why) = (who(forfeit.culprit), translation::translate(language, &forfeit.kind));
        let winner = who(forfeit.culprit.other());
        return match language {
            Language::English => format!("{lost} forfeited: {why}. {winner} won."),
            Language::Spanish => format!("{lost} perdió por una falta: {why}. Ganó {winner}."),
        };
    }
    let reason = translation::translate(language, &reason);
    match (winner, margin) {
        (None, _) => format!("{}: {reason}.", language.pick("Draw", "Empate")),
        (Some(side), 0) => format!("{} {}: {reason}.", who(side), language.pick("won", "ganó")),
        (Some(side), margin) => {
            format!("{} {} {margin}: {reason}.", who(side), language.pick("won by", "ganó por"))
        }
    }
}
