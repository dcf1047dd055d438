//! Groups of comparable players, and virtual draws where the maximum-likelihood rating is infinite.

use super::model::{BradleyTerry, PairTotal};

/// Groups of players connected by games. Anchors are connected by their ratings.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    pub(super) n: usize,
    pub(super) of: Vec<usize>,
    /// Whether the group has an anchor.
    pub(super) anchored: Vec<bool>,
    pub(super) size: Vec<usize>,
    /// By player, the class of players that scored against each other, directly or through others.
    classes: Vec<usize>,
}

/// Whether a player's class got half a virtual draw, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Prior {
    pub(super) given: bool,
    /// The results do not bound the rating from above.
    pub(super) no_top: bool,
    /// The results do not bound the rating from below.
    pub(super) no_bottom: bool,
}

/// Number of virtual draws of a class without a finite rating.
const VIRTUAL_DRAWS: f64 = 0.5;

impl Groups {
    pub(super) fn of(model: &BradleyTerry) -> Groups {
        // `scored` links a player to those that it scored against; anchors are linked in both directions.
        let mut scored = vec![Vec::new(); model.n];
        let mut met = vec![Vec::new(); model.n];
        let link = |links: &mut Vec<Vec<usize>>, i: usize, j: usize| links[i].push(j);
        for total in &model.totals {
            let PairTotal { first, second, games, points, .. } = *total;
            link(&mut met, first, second);
            link(&mut met, second, first);
            if points > 0.0 {
                link(&mut scored, first, second);
            }
            if points < games {
                link(&mut scored, second, first);
            }
        }
        let anchors: Vec<usize> = (0..model.n).filter(|&i| model.fixed[i].is_some()).collect();
        for pair in anchors.windows(2) {
            for links in [&mut met, &mut scored] {
                link(links, pair[0], pair[1]);
                link(links, pair[1], pair[0]);
            }
        }
        let (of, n) = renumbered(&strong_classes(&met));
        let (classes, _) = renumbered(&strong_classes(&scored));
        let (mut anchored, mut size) = (vec![false; n], vec![0; n]);
        for i in 0..model.n {
            anchored[of[i]] |= model.fixed[i].is_some();
            size[of[i]] += 1;
        }
        Groups { n, of, anchored, size, classes }
    }

    /// Subtracts the mean of every group without anchors from the players' components of a direction.
    pub(super) fn center(&self, direction: &mut [f64]) {
        let mut sums = vec![0.0; self.n];
        for (i, &group) in self.of.iter().enumerate() {
            sums[group] += direction[i];
        }
        for (i, &group) in self.of.iter().enumerate() {
            if !self.anchored[group] {
                direction[i] -= sums[group] / self.size[group] as f64;
            }
        }
    }
}

/// Gives every class that scored all points or none against the rest half a virtual draw, spread over the games with
/// the rest. The largest class of a group needs none: the draws of the others bound it as well.
pub(super) fn add_priors(model: &mut BradleyTerry, groups: &Groups) -> Vec<Prior> {
    let n_classes = groups.classes.iter().max().map_or(0, |last| last + 1);
    let crossing = |total: &&PairTotal| groups.classes[total.first] != groups.classes[total.second];
    let mut across = vec![0.0; n_classes];
    let (mut lost, mut won) = (vec![false; n_classes], vec![false; n_classes]);
    for total in model.totals.iter().filter(crossing) {
        let [one, other] = [total.first, total.second].map(|player| groups.classes[player]);
        across[one] += total.games;
        across[other] += total.games;
        // Between two classes all points go to one of them.
        let (winner, loser) = if total.points > 0.0 { (one, other) } else { (other, one) };
        won[winner] = true;
        lost[loser] = true;
    }
    let given = classes_in_need(groups, &across, model);
    let virtual_draw = |total: &PairTotal| {
        let share = |player: usize| {
            let class = groups.classes[player];
            if given[class] { VIRTUAL_DRAWS * total.games / across[class] } else { 0.0 }
        };
        let games = share(total.first) + share(total.second);
        PairTotal { games, points: 0.5 * games, sided: false, ..*total }
    };
    let draws: Vec<PairTotal> = model.totals.iter().filter(crossing).map(virtual_draw).collect();
    model.totals.extend(draws);
    let prior = |i: usize| {
        let class = groups.classes[i];
        // The largest class is bounded by the games between its players.
        let given = given[class] && model.fixed[i].is_none();
        Prior { given, no_top: given && !lost[class], no_bottom: given && !won[class] }
    };
    (0..model.n).map(prior).collect()
}

/// All classes with games against others, except the class that is the largest of its group or has the anchors.
fn classes_in_need(groups: &Groups, across: &[f64], model: &BradleyTerry) -> Vec<bool> {
    let mut size = vec![0usize; across.len()];
    let mut group = vec![0; across.len()];
    for (i, &class) in groups.classes.iter().enumerate() {
        // A class with anchors counts as the largest.
        size[class] += if model.fixed[i].is_some() { model.n } else { 1 };
        group[class] = groups.of[i];
    }
    let mut largest = vec![(0, 0); groups.n];
    for (class, &size) in size.iter().enumerate() {
        let best = &mut largest[group[class]];
        *best = match size.cmp(&best.0) {
            std::cmp::Ordering::Greater => (size, 1),
            std::cmp::Ordering::Equal => (size, best.1 + 1),
            std::cmp::Ordering::Less => *best,
        };
    }
    let needs = |class: usize| across[class] > 0.0 && largest[group[class]] != (size[class], 1);
    (0..across.len()).map(needs).collect()
}

/// The same classes, numbered in the order of their first player, and their number.
fn renumbered(classes: &[usize]) -> (Vec<usize>, usize) {
    let mut numbers = vec![usize::MAX; classes.len()];
    let mut n = 0;
    let mut number = |class: usize| {
        if numbers[class] == usize::MAX {
            numbers[class] = n;
            n += 1;
        }
        numbers[class]
    };
    let renumbered = classes.iter().map(|&class| number(class)).collect();
    (renumbered, n)
}

/// Strongly connected components by Tarjan's algorithm, without recursion: for each node the number of its component.
fn strong_classes(links: &[Vec<usize>]) -> Vec<usize> {
    const NEW: usize = usize::MAX;
    let n = links.len();
    let (mut index, mut lowest, mut class) = (vec![NEW; n], vec![0; n], vec![NEW; n]);
    let (mut stack, mut path) = (Vec::new(), Vec::new());
    let (mut n_seen, mut n_classes) = (0, 0);
    for root in 0..n {
        if index[root] != NEW {
            continue;
        }
        path.push((root, 0));
        while let Some((node, next)) = path.pop() {
            if next == 0 {
                (index[node], lowest[node]) = (n_seen, n_seen);
                n_seen += 1;
                stack.push(node);
            }
            if let Some(&to) = links[node].get(next) {
                path.push((node, next + 1));
                if index[to] == NEW {
                    path.push((to, 0));
                } else if class[to] == NEW {
                    lowest[node] = lowest[node].min(index[to]);
                }
                continue;
            }
            if lowest[node] == index[node] {
                while let Some(member) = stack.pop() {
                    class[member] = n_classes;
                    if member == node {
                        break;
                    }
                }
                n_classes += 1;
            }
            if let Some(&(parent, _)) = path.last() {
                lowest[parent] = lowest[parent].min(lowest[node]);
            }
        }
    }
    class
}
