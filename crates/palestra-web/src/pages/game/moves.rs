//! The move list, turn by turn.

use super::replay::Replay;
use palestra_core::Side;

/// A turn of both sides; a side may move several times in a row.
#[derive(Default)]
pub(super) struct MoveListRow {
    pub(super) first: Vec<MoveLink>,
    pub(super) second: Vec<MoveLink>,
}

/// A move and the ply that it leads to.
pub(super) struct MoveLink {
    pub(super) number: usize,
    pub(super) mv: String,
    pub(super) is_opening: bool,
    pub(super) is_current: bool,
}

pub(super) fn turns(replay: &Replay, current: usize) -> Vec<MoveListRow> {
    let mut turns: Vec<MoveListRow> = Vec::new();
    for (i, mv) in replay.moves.iter().enumerate() {
        let ply = MoveLink {
            number: i + 1,
            mv: mv.clone(),
            is_opening: i < replay.n_opening,
            is_current: i + 1 == current,
        };
        let side = replay.side_of_move(i);
        let is_new = turns.last().is_none_or(|turn| side == Side::First && !turn.second.is_empty());
        if is_new {
            turns.push(MoveListRow::default());
        }
        let turn = turns.last_mut().expect("there is one now");
        match side {
            Side::First => turn.first.push(ply),
            Side::Second => turn.second.push(ply),
        }
    }
    turns
}
