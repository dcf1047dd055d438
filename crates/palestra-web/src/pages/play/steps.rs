//! Animations of moves: the cells that change, frame by frame.

use palestra_core::{BoardGrid, cell_svg};
use serde::Serialize;
use std::collections::BTreeMap;

/// The animation of one move.
#[derive(Clone, Debug, Serialize)]
pub(super) struct AnimationStep {
    #[serde(rename = "move")]
    pub(super) mv: String,
    /// Whether the person played it.
    pub(super) by_person: bool,
    /// For each frame, the cells that change and the indices of their new drawings.
    pub(super) frames: Vec<Vec<(usize, usize)>>,
}

/// Animations of moves in order; equal drawings of cells are kept once.
#[derive(Debug, Default)]
pub(super) struct PlayAnimation {
    pub(super) looks: Vec<String>,
    pub(super) steps: Vec<AnimationStep>,
    /// Indices of `looks`.
    known: BTreeMap<String, usize>,
}

impl PlayAnimation {
    /// Adds a move that changes the board `before` over some frames.
    pub(super) fn add(&mut self, mv: String, by_person: bool, before: BoardGrid, frames: Vec<BoardGrid>) {
        let mut shown = before;
        let mut changes = Vec::with_capacity(frames.len());
        for frame in frames {
            let cells = frame.cells.iter().enumerate().filter(|(i, cell)| shown.cells.get(*i) != Some(cell));
            let looks = cells.map(|(i, cell)| (i, cell_svg(frame.board, cell)));
            changes.push(looks.map(|(i, look)| (i, self.look(look))).collect());
            shown = frame;
        }
        self.steps.push(AnimationStep { mv, by_person, frames: changes });
    }

    fn look(&mut self, look: String) -> usize {
        let looks = &mut self.looks;
        *self.known.entry(look).or_insert_with_key(|look| {
            looks.push(look.clone());
            looks.len() - 1
        })
    }
}
