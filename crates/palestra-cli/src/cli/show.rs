//! `palestra show`.

use super::args::ShowArgs;
use super::long_sets::SHOWN;
use super::output::{Align, Output, table};
use super::output_file::write_file;
use anyhow::Result;
use palestra_arena::{EndingText, PositionSummary, Session};
use palestra_core::{BoardGrid, CellContent};

/// More legal moves than this are counted, not listed.
const LISTED: usize = 100;

pub(super) fn run(args: &ShowArgs, output: &mut Output) -> Result<()> {
    let (_, session) = args.position.open()?;
    let shown = session.show();
    if let Some(path) = &args.svg {
        let title = format!("{} {}", shown.game, shown.setup);
        write_file(path, session.grid().to_svg(&title).as_bytes())?;
    }
    if output.json {
        return output.json(&shown);
    }
    position(session.as_ref(), &shown, output)?;
    for rows in &shown.features {
        output.line("")?;
        let mut cells =
            vec![vec![rows.set.to_owned(), "first".to_owned(), "second".to_owned(), "meaning".to_owned()]];
        // Of many features, those that are 0 for both sides are only counted.
        let is_long = rows.names.len() > SHOWN;
        let mut n_zero = 0;
        for (i, name) in rows.names.iter().enumerate() {
            let values = [rows.first[i], rows.second[i]];
            if is_long && values == [0, 0] {
                n_zero += 1;
                continue;
            }
            let [first, second] = values.map(|value| value.to_string());
            cells.push(vec![format!("  {name}"), first, second, rows.meanings[i].to_owned()]);
        }
        if n_zero > 0 {
            cells.push(vec![format!("  {n_zero} others"), "0".to_owned(), "0".to_owned(), String::new()]);
        }
        output.line(table(&cells, &[Align::Left, Align::Right, Align::Right, Align::Left]).trim_end())?;
    }
    Ok(())
}

/// Prints the board, side to move, legal moves and setup.
pub(super) fn position(session: &dyn Session, shown: &PositionSummary, output: &mut Output) -> Result<()> {
    output.line(session.grid().to_text(output.color))?;
    if let Some(score) = shown.score {
        output.line(format_args!("score: first {}, second {}", score.first, score.second))?;
    }
    output.line(state(shown, &session.grid()))?;
    output.line(format_args!("setup: {}", shown.setup))
}

/// The side to move and its legal moves, or the ending.
fn state(shown: &PositionSummary, grid: &BoardGrid) -> String {
    match (&shown.ended, &shown.to_move) {
        (Some(ended), _) => ending(ended, grid),
        (None, Some(side)) => format!("{side} ({}) to move: {}", mark(grid, side), legal(shown)),
        (None, None) => String::new(),
    }
}

/// The legal moves; only their number where there are many.
fn legal(shown: &PositionSummary) -> String {
    match shown.legal.len() {
        n if n > LISTED => format!("{n} legal moves (--json lists them)"),
        _ => shown.legal.join(" "),
    }
}

/// The ending of a game as text.
pub(super) fn ending(ended: &EndingText, grid: &BoardGrid) -> String {
    match (&ended.winner, ended.margin) {
        (Some(side), 0) => format!("{side} ({}) wins: {}", mark(grid, side), ended.end),
        (Some(side), margin) => format!("{side} ({}) wins by {margin}: {}", mark(grid, side), ended.end),
        (None, _) => format!("draw: {}", ended.end),
    }
}

/// The letter of a side: that of its pieces where the board has one kind of pieces, else X or O.
pub(super) fn mark(grid: &BoardGrid, side: &str) -> char {
    let mut pieces = grid.cells.iter().filter_map(|cell| match cell.content {
        CellContent::Piece(piece) => Some(piece),
        _ => None,
    });
    let is_first = side == "first";
    match pieces.next() {
        Some(piece) if pieces.all(|other| other == piece) => piece.letters[usize::from(!is_first)],
        _ if is_first => 'X',
        _ => 'O',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palestra_core::{BoardCell, PieceGlyph};

    static PAWN: PieceGlyph = PieceGlyph { name: "pawn", letters: ['P', 'p'], svg: None };
    static KING: PieceGlyph = PieceGlyph { name: "king", letters: ['K', 'k'], svg: None };

    fn check(contents: &[CellContent], expected: [char; 2]) {
        let cells = contents.iter().map(|&content| BoardCell { content, ..BoardCell::default() }).collect();
        let grid = BoardGrid { n_columns: 1, cells, ..BoardGrid::default() };
        assert_eq!(["first", "second"].map(|side| mark(&grid, side)), expected, "{contents:?}");
    }

    #[test]
    fn sides_have_the_letters_of_their_pieces() {
        let [pawn, king] = [&PAWN, &KING].map(CellContent::Piece);
        check(&[CellContent::Stone], ['X', 'O']);
        check(&[CellContent::Empty, pawn, pawn], ['P', 'p']);
        check(&[pawn, king], ['X', 'O']);
    }
}
