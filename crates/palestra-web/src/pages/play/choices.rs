//! The legal moves as a tree of choices, which a person makes one after the other by clicking on cells.

use palestra_arena::Session;
use palestra_core::{BoardGrid, CellContent};
use serde::Serialize;
use std::collections::BTreeMap;

/// A choice and those that may follow it.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct ChoiceNode {
    /// Its text in the notation of moves.
    pub(super) text: String,
    /// The cells that select it; empty where it has no cell on the board.
    pub(super) spots: Vec<usize>,
    /// The move, where no further choice is needed.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub(super) mv: Option<String>,
    /// The next choices.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) next: Vec<ChoiceNode>,
}

/// The first choices of all legal moves.
pub(super) fn tree(session: &dyn Session) -> Vec<ChoiceNode> {
    let grid = session.grid();
    let mut known: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
    let mut root = ChoiceNode::default();
    for (mv, stages) in session.legal().into_iter().zip(session.stages()) {
        let path: Vec<(String, Vec<usize>)> = (1..=stages.len())
            .map(|n| {
                let spots = known.entry(stages[..n].to_vec()).or_insert_with(|| session.spots(&stages[..n]));
                (stages[n - 1].clone(), spots.clone())
            })
            .collect();
        // A brick covers two free cells, which can be chosen in either order.
        if let [(_, one), (_, other)] = path.as_slice()
            && let (&[a], &[b]) = (one.as_slice(), other.as_slice())
            && [a, b].iter().all(|&cell| is_free(&grid, cell))
        {
            let reversed = [(grid.name_of(b), other.clone()), (grid.name_of(a), one.clone())];
            insert(&mut root, &reversed, &mv);
        }
        insert(&mut root, &path, &mv);
    }
    root.next
}

/// All cells of the choices of a move.
pub(super) fn spots_of(session: &dyn Session, mv: &str) -> Vec<usize> {
    let at = session.legal().iter().position(|legal| legal == mv);
    let stages = at.and_then(|i| session.stages().into_iter().nth(i)).unwrap_or_default();
    (1..=stages.len()).flat_map(|n| session.spots(&stages[..n])).collect()
}

fn is_free(grid: &BoardGrid, cell: usize) -> bool {
    grid.cells.get(cell).is_some_and(|cell| cell.content == CellContent::Empty)
}

fn insert(parent: &mut ChoiceNode, path: &[(String, Vec<usize>)], mv: &str) {
    let Some(((text, spots), rest)) = path.split_first() else {
        parent.mv = Some(mv.to_owned());
        return;
    };
    let is_same = |one: &ChoiceNode| one.spots == *spots && (!spots.is_empty() || one.text == *text);
    let i = parent.next.iter().position(is_same).unwrap_or_else(|| {
        parent.next.push(ChoiceNode { text: text.clone(), spots: spots.clone(), ..ChoiceNode::default() });
        parent.next.len() - 1
    });
    insert(&mut parent.next[i], rest, mv);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn moves_of(choices: &[ChoiceNode], found: &mut BTreeSet<String>) {
        for choice in choices {
            found.extend(choice.mv.clone());
            moves_of(&choice.next, found);
            let cells = choice.next.iter().flat_map(|next| next.spots.iter());
            let n_cells = cells.clone().count();
            assert_eq!(cells.collect::<BTreeSet<_>>().len(), n_cells, "a cell selects one choice");
        }
    }

    #[test]
    fn every_legal_move_can_be_chosen_and_no_other() {
        for info in palestra_registry::GAMES.families() {
            let game = palestra_registry::GAMES.open(info.samples[0]).unwrap();
            let session = game.session(None, "").unwrap();
            let mut found = BTreeSet::new();
            moves_of(&tree(&*session), &mut found);
            assert_eq!(found, session.legal().into_iter().collect(), "{}", info.name);
        }
    }

    #[test]
    fn a_brick_is_laid_from_either_end() {
        let game = palestra_registry::GAMES.open("ladrillos:5").unwrap();
        let session = game.session(None, "").unwrap();
        let choices = tree(&*session);
        assert_eq!(choices.len(), 25);
        let middle = choices.iter().find(|choice| choice.spots == [12]).unwrap();
        let around: BTreeSet<usize> = middle.next.iter().flat_map(|next| next.spots.clone()).collect();
        assert_eq!(around, BTreeSet::from([7, 11, 13, 17]));
    }
}
