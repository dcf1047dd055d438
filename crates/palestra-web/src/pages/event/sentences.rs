//! Sentences about events, in both languages.

use super::summary::EventSummary;
use crate::viewer::Language;
use palestra_review::event::evidence::{StderrKind, StderrSummary};
use palestra_review::event::text::points;
use palestra_review::event::{self, EventReport, failures, score_of};
use palestra_review::grouped;
use palestra_stats::{EloComparison, EloWords};
use palestra_store::RunState;
use palestra_tournament::{PlayerStanding, StageBoards, Standings, WinDrawLoss};

/// Limit on the sentences about neighbors in the standings.
const MAX_SENTENCES: usize = 40;

pub(super) fn state(state: RunState, language: Language) -> &'static str {
    match state {
        RunState::Running => language.pick("running", "en curso"),
        RunState::Interrupted => language.pick("interrupted", "interrumpido"),
        RunState::Done => language.pick("done", "terminado"),
        RunState::Failed => language.pick("failed", "fallido"),
    }
}

/// A duration in its largest suitable units: `1 min 14 s`.
pub(super) fn duration(seconds: f64) -> String {
    // Durations are far below the range where `f64` loses whole seconds.
    let seconds = seconds.max(0.0).round() as u64;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// The format, the number of players and the boards.
pub(super) fn format(summary: &EventSummary, language: Language) -> String {
    let review = &summary.review;
    let stage = |stage: &palestra_tournament::StagePlan| {
        let name = stage.format.spanish;
        if stage.name.is_empty() { name.to_owned() } else { format!("{}: {name}", stage.name) }
    };
    let boards = match review.plan.stages.last().map(|stage| &stage.boards) {
        Some(StageBoards::Listed(games)) if games.len() <= 4 => games.join(", "),
        Some(StageBoards::Listed(games)) => format!("{}, … ({})", games[..3].join(", "), games.len()),
        Some(StageBoards::Pool(pool)) => pool.clone(),
        None => String::new(),
    };
    match language {
        Language::English => format!("{}; {boards}", review.what),
        Language::Spanish => {
            let stages: Vec<String> = review.plan.stages.iter().map(stage).collect();
            format!("{}, {} jugadores; {boards}", stages.join("; "), review.field.entrants.len())
        }
    }
}

/// Comparisons of the first neighbors in the standings, and the number of further ones.
pub(super) fn neighbors(standings: &Standings, language: Language) -> (Vec<String>, usize) {
    if language == Language::English {
        return event::sentences(standings, MAX_SENTENCES);
    }
    let Some(ratings) = &standings.ratings else { return (Vec::new(), 0) };
    let ranked = standings.ranked();
    let sentences = ranked.windows(2).take(MAX_SENTENCES).map(|pair| {
        let [one, other] = [pair[0], pair[1]].map(|player| &standings.names[player]);
        match ratings.comparison(pair[0], pair[1]) {
            Some(comparison) => {
                EloWords::SPANISH.comparison(&EloComparison { remark: String::new(), ..comparison })
            }
            None => format!("{one} y {other} no se pueden comparar: ninguna cadena de partidas los une"),
        }
    });
    let sentences: Vec<String> = sentences.collect();
    let n_more = ranked.len().saturating_sub(1 + sentences.len());
    (sentences, n_more)
}

/// The leaders of the event, and whether that is final.
pub(super) fn leaders(event: &EventReport<'_>, language: Language) -> String {
    let first = event.standings().rows.iter().filter(|row| row.rank == Some(1));
    let names: Vec<&str> = first.map(|row| event.name(row.player)).collect();
    match (event.run.state, names.as_slice()) {
        (RunState::Done, [name]) => {
            language.pick(format!("{name} is first."), format!("{name} queda en primer lugar."))
        }
        (RunState::Done, names) => {
            let who = if names.len() < 6 { names.join(", ") } else { names.len().to_string() };
            language
                .pick(format!("Shared first place: {who}."), format!("Comparten el primer puesto: {who}."))
        }
        (RunState::Running | RunState::Interrupted, _) => language
            .pick(
                "The event is not over; these are the current results.",
                "El torneo no ha terminado; estos son los resultados hasta ahora.",
            )
            .to_owned(),
        (RunState::Failed, _) => language
            .pick(
                "The event was stopped by an error; these are the results until then.",
                "Un error detuvo el torneo; estos son los resultados hasta entonces.",
            )
            .to_owned(),
    }
}

/// The number of games that count, and the points of a game.
pub(super) fn points_sentence(
    points: palestra_tournament::PointSystem,
    n_games: u64,
    language: Language,
) -> String {
    let n = palestra_review::grouped(n_games);
    let count = language.pick(format!("Games that count: {n}. "), format!("Partidas que cuentan: {n}. "));
    count
        + &match points {
            palestra_tournament::PointSystem::Margin => language
                .pick("A game gives its margin as points.", "Una partida da su margen como puntos.")
                .to_owned(),
            table => match language {
                Language::English => format!("A game gives {table} points for a win, a draw and a loss."),
                Language::Spanish => format!("Una partida da {table} puntos por victoria, empate y derrota."),
            },
        }
}

/// Rank and points, results and time of a player.
pub(super) fn facts(standings: &Standings, row: &PlayerStanding, language: Language) -> Vec<String> {
    let n_ranked = standings.ranked().len();
    let rank = match (row.rank, row.quarantined_at) {
        (Some(rank), _) => match language {
            Language::English => format!("rank {rank} of {n_ranked}, {} points", points(row.points)),
            Language::Spanish => format!("puesto {rank} de {n_ranked}, {} puntos", points(row.points)),
        },
        (None, Some(_)) => match language {
            Language::English => {
                format!("disqualified ({}): none of its games count", failures(row))
            }
            Language::Spanish => {
                format!("descalificado ({}): ninguna de sus partidas cuenta", failures(row))
            }
        },
        (None, None) if row.count().games() > 0 => language
            .pick("not ranked: a reference for the others", "sin puesto: referencia para los demás")
            .to_owned(),
        (None, None) => language.pick("no games", "sin partidas").to_owned(),
    };
    let mut facts = vec![rank];
    if let Some(score) = score_of(row) {
        let WinDrawLoss { wins, draws, losses } = row.count();
        let (games, score) = (row.count().games(), 100.0 * score);
        facts.push(match language {
            Language::English => {
                format!("games: {games}; won {wins}, drawn {draws}, lost {losses}; score {score:.1} %")
            }
            Language::Spanish => format!(
                "partidas: {games}; ganadas {wins}, empatadas {draws}, perdidas {losses}; rendimiento {score:.1} %"
            ),
        });
    }
    if row.byes > 0 {
        facts.push(format!("{} {}", language.pick("byes:", "descansos:"), row.byes));
    }
    if row.milliseconds > 0 {
        let time = event::text::time(row.milliseconds);
        facts.push(format!("{} {time}", language.pick("time used:", "tiempo usado:")));
    }
    if !row.late.is_none() {
        let (moves, time) = (row.late.moves, event::text::time(row.late.micros / 1000));
        facts.push(match language {
            Language::English => format!("late moves: {moves}, by {time} in all"),
            Language::Spanish => format!("jugadas con retraso: {moves}, {time} en total"),
        });
    }
    facts
}

/// The kind and the length of what a program wrote to standard error.
pub(crate) fn stderr(summary: StderrSummary, language: Language) -> String {
    let bytes = grouped(summary.n_bytes as u64);
    let what = match summary.kind {
        StderrKind::Text => {
            return match language {
                Language::English => format!("wrote {bytes} bytes to standard error"),
                Language::Spanish => format!("escribió {bytes} bytes en la salida de errores"),
            };
        }
        StderrKind::JavaCrash => language.pick("Java crash dump", "volcado de un fallo de Java"),
        StderrKind::JavaException => language.pick("Java exception", "excepción de Java"),
        StderrKind::PythonTraceback => language.pick("Python traceback", "traza de Python"),
        StderrKind::Panic => language.pick("panic", "pánico («panic»)"),
        StderrKind::Sanitizer => language.pick("sanitizer report", "informe de un «sanitizer»"),
    };
    format!("{what}, {bytes} bytes")
}
