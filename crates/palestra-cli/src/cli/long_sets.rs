//! Feature sets with more features than a terminal can show one by one. JSON has all of them.

use palestra_arena::MoveReason;

/// Sets with more features are shown in part.
pub(super) const SHOWN: usize = 24;

/// Columns of features that a table of moves has room for.
const COLUMNS: usize = 8;

/// Names of weights: all, or the first and the last of many.
pub(super) fn names(names: &[&str]) -> String {
    match names {
        [first, .., last] if names.len() > SHOWN => format!("{first}, …, {last} ({} weights)", names.len()),
        _ => names.join(", "),
    }
}

/// A player string as a cell of a table: without most of its weights where they are many.
pub(super) fn player(player: &str) -> String {
    let Some((head, weights)) = player.rsplit_once('/') else { return player.to_owned() };
    let all: Vec<&str> = weights.split(',').collect();
    match all.as_slice() {
        [first, second, ..] if all.len() > SHOWN => {
            format!("{head}/{first},{second},… ({} weights)", all.len())
        }
        _ => player.to_owned(),
    }
}

/// The features that get a column in a table of moves, in order: all of them, or of many those whose contributions
/// differ most between the moves, because the others do not decide the choice.
pub(super) fn columns(n_features: usize, moves: &[MoveReason]) -> Vec<usize> {
    if n_features <= SHOWN {
        return (0..n_features).collect();
    }
    let spread = |&feature: &usize| {
        let values = || moves.iter().filter_map(|reason| reason.contributions.get(feature).copied());
        values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
    };
    let mut columns: Vec<usize> = (0..n_features).filter(|feature| spread(feature) > 0.0).collect();
    columns.sort_by(|a, b| spread(b).total_cmp(&spread(a)));
    columns.truncate(COLUMNS);
    columns.sort_unstable();
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_shortened() {
        assert_eq!(names(&["a", "b"]), "a, b");
        assert_eq!(names(&["x"; 64]), "x, …, x (64 weights)");
        assert_eq!(player("random"), "random");
        assert_eq!(player("greedy/lines/1,2,3"), "greedy/lines/1,2,3");
        let weights = ["0.5"; 64].join(",");
        assert_eq!(player(&format!("greedy/squares/{weights}")), "greedy/squares/0.5,0.5,… (64 weights)");
    }

    fn reason(contributions: &[f64]) -> MoveReason {
        MoveReason {
            mv: "m".to_owned(),
            features: vec![1; contributions.len()],
            contributions: contributions.to_vec(),
            value: None,
        }
    }

    #[test]
    fn columns_show_what_differs() {
        assert_eq!(columns(2, &[reason(&[1.0, 1.0])]), [0, 1]);
        let mut first = vec![1.0; 64];
        let mut second = first.clone();
        assert_eq!(columns(64, &[reason(&first), reason(&second)]), [0; 0]);
        first[60] = 9.0;
        second[7] = 2.0;
        assert_eq!(columns(64, &[reason(&first), reason(&second)]), [7, 60]);
        let rising: Vec<f64> = (0..64).map(f64::from).collect();
        assert_eq!(columns(64, &[reason(&[0.0; 64]), reason(&rising)]), [56, 57, 58, 59, 60, 61, 62, 63]);
    }
}
