//! Texts about a game in progress, in both languages.

use crate::translation;
use crate::viewer::Language;
use palestra_core::{BoardGrid, BoardKind, CellContent, Ending, Side};

/// The result, from the person's point of view.
pub(super) fn ending(language: Language, ending: &Ending, person: Side) -> String {
    let why = translation::translate(language, ending.reason);
    let by = match (ending.winner, ending.margin) {
        (Some(_), margin) if margin > 0 => format!(" {} {margin}", language.pick("by", "por")),
        _ => String::new(),
    };
    match ending.winner {
        Some(side) if side == person => format!("{}{by}: {why}.", language.pick("You won", "Has ganado")),
        Some(_) => format!("{}{by}: {why}.", language.pick("The opponent won", "Ganó el rival")),
        None => format!("{}: {why}.", language.pick("Draw", "Empate")),
    }
}

/// The prompt for each stage of a move.
pub(super) fn prompts(language: Language, board: BoardKind, stage_names: &[&str]) -> Vec<String> {
    // What a piece does is chosen after the piece; a first square is no piece's.
    let is_first_square = stage_names.first() == Some(&"square");
    let prompt = |name: &&str| -> String {
        match *name {
            "piece" => language.pick("Choose a piece.", "Elige una pieza."),
            "square" if is_first_square => language.pick("Choose a square.", "Elige una casilla."),
            "square" => language.pick("Choose its square.", "Elige su casilla."),
            "kick" => language.pick("Kick: choose where the ball goes.", "Tiro: elige adónde va el balón."),
            "cell" => language.pick("Choose a cell.", "Elige una celda."),
            "direction" => language.pick("Choose a cell next to it.", "Elige una celda contigua."),
            "move" => match board {
                BoardKind::Rack => language.pick("Choose a column.", "Elige una columna."),
                BoardKind::Pits => language.pick("Choose a hole.", "Elige un hoyo."),
                BoardKind::Squares | BoardKind::Field => language.pick("Choose a move.", "Elige una jugada."),
            },
            name => {
                return format!(
                    "{}: {}.",
                    language.pick("Choose", "Elige"),
                    translation::translate(language, name)
                );
            }
        }
        .to_owned()
    };
    stage_names.iter().map(prompt).collect()
}

/// The label of a cell for screen readers.
pub(super) fn cell(language: Language, grid: &BoardGrid, i: usize, person: Side) -> String {
    let name = grid.name_of(i);
    let cell = &grid.cells[i];
    let whose = match cell.owner {
        Some(side) if side == person => language.pick("yours", "tu lado"),
        Some(_) => language.pick("the opponent's", "lado rival"),
        None => "",
    };
    let counted = |n: u16| match n {
        1 => language.pick("1 seed", "1 semilla").to_owned(),
        n => format!("{n} {}", language.pick("seeds", "semillas")),
    };
    match (grid.board, cell.content) {
        (_, CellContent::Store(n)) => format!("{}, {whose}, {}", language.pick("store", "casa"), counted(n)),
        (_, CellContent::Seeds(n)) => format!("{} {name}, {}", language.pick("hole", "hoyo"), counted(n)),
        (BoardKind::Rack, CellContent::Empty) => format!("{} {name}", language.pick("column", "columna")),
        (BoardKind::Rack, _) => {
            format!("{} {name}, {}", language.pick("column", "columna"), whose)
        }
        (_, CellContent::Empty) => name,
        (_, CellContent::Stone) => format!("{name}, {}, {whose}", language.pick("piece", "pieza")),
        (_, CellContent::Brick) => format!("{name}, {}, {whose}", language.pick("brick", "ladrillo")),
        (_, CellContent::Keeper) => format!("{name}, {}, {whose}", language.pick("keeper", "portero")),
        (_, CellContent::Ball) => format!("{name}, {}", language.pick("ball", "balón")),
        (_, CellContent::Piece(piece)) => {
            format!("{name}, {}, {whose}", translation::translate(language, piece.name))
        }
    }
}

/// The opponent's moves, and the result or whose turn it is.
pub(super) fn status(
    language: Language,
    answers: &[String],
    end: Option<&Ending>,
    is_persons_turn: bool,
    person: Side,
) -> String {
    let mut sentences = Vec::new();
    if !answers.is_empty() {
        let played = language.pick("The opponent played", "El rival jugó");
        sentences.push(format!("{played} {}.", answers.join(", ")));
    }
    match end {
        Some(end) => sentences.push(ending(language, end, person)),
        None if is_persons_turn => sentences.push(language.pick("Your turn.", "Te toca.").to_owned()),
        None => {
            sentences.push(language.pick("The opponent is thinking…", "El rival está pensando…").to_owned());
        }
    }
    sentences.join(" ")
}

/// A number for a table, with few digits.
pub(super) fn number(value: f64) -> String {
    let magnitude = value.abs();
    if value == value.trunc() && magnitude < 1e6 {
        format!("{value:.0}")
    } else if (0.01..1e6).contains(&magnitude) {
        format!("{value:.2}")
    } else {
        format!("{value:.1e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(board: BoardKind, stages: &[&str], expected: &[&str]) {
        assert_eq!(prompts(Language::Spanish, board, stages), expected, "{stages:?}");
    }

    #[test]
    fn every_stage_has_a_prompt() {
        check(BoardKind::Rack, &["move"], &["Elige una columna."]);
        check(BoardKind::Squares, &["piece", "square"], &["Elige una pieza.", "Elige su casilla."]);
        check(BoardKind::Squares, &["square"], &["Elige una casilla."]);
        check(BoardKind::Squares, &["dragon", "square"], &["Elige: dragon.", "Elige su casilla."]);
    }
}
