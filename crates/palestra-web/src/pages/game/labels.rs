//! Texts about a game, in both languages.

use super::replay::Replay;
use crate::viewer::Language;
use palestra_core::{Side, WIN};

/// A side in URLs and CSS classes.
pub(super) fn side_code(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

/// A side at the beginning of a sentence.
pub(super) fn side(language: Language, side: Side) -> &'static str {
    match side {
        Side::First => language.pick("First", "Primero"),
        Side::Second => language.pick("Second", "Segundo"),
    }
}

/// A value as text; values of decided positions in words.
pub(super) fn number(language: Language, value: f64) -> String {
    match value {
        value if value >= WIN => language.pick("won", "ganada").to_owned(),
        value if value <= -WIN => language.pick("lost", "perdida").to_owned(),
        value => palestra_review::number(value),
    }
}

/// A duration with its unit.
pub(super) fn time(microseconds: u64) -> String {
    match microseconds {
        ..1_000 => format!("{microseconds} µs"),
        1_000..1_000_000 => format!("{} ms", palestra_review::number(microseconds as f64 / 1e3)),
        _ => format!("{:.1} s", microseconds as f64 / 1e6),
    }
}

/// A position in words: the move that led to it, the score, the side to move.
pub(super) fn position(language: Language, replay: &Replay, ply: usize) -> String {
    let at = &replay.positions[ply];
    let n_plies = replay.n_plies();
    let mut text = match ply {
        0 => language.pick("Start", "Inicio").to_owned(),
        _ => {
            let (mv, who) = (&replay.moves[ply - 1], side(language, replay.side_of_move(ply - 1)));
            let of = language.pick("of", "de");
            let opening = match ply <= replay.n_opening {
                true => language.pick(", opening", ", apertura"),
                false => "",
            };
            format!("{} {ply} {of} {n_plies}{opening}: {mv} ({who})", language.pick("Move", "Jugada"))
        }
    };
    if let Some([first, second]) = at.score {
        text += &format!(" · {first}–{second}");
    }
    let who = side(language, at.to_move);
    text += &match at.ending {
        Some(_) => format!(". {}.", language.pick("The game is over", "La partida ha terminado")),
        None => format!(". {who} {}.", language.pick("to move", "juega")),
    };
    text
}
