//! Who can be compared with whom, and where the likeliest rating is not finite.

use super::model::{BradleyTerry, PairTotal};

/// Players connected by games; anchors are connected by their ratings.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    pub(super) n: usize,
    pub(super) of: Vec<usize>,
    /// Whether somebody in the group has a given rating.
    pub(super) anchored: Vec<bool>,
    pub(super) size: Vec<usize>,
    /// Classes of players who took points from each other, directly or around corners.
    classes: Vec<usize>,
}

/// What half a virtual draw was given for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Prior {
    pub(super) given: bool,
    /// Nothing in the results bounds the rating from above.
    pub(super) no_top: bool,
    /// Nothing bounds it from below.
    pub(super) no_bottom: bool,
}

/// Virtual games that a class without a finite rating gets, each a draw.
const VIRTUAL: f64 = 0.5;

impl Groups {
    pub(super) fn of(model: &BradleyTerry) -> Groups {
        // Links from the scorer to the one scored against; anchors hold on to each other both ways.
        let mut scored = vec![Vec::new(); model.n];
        let mut met = vec![Vec::new(); model.n];
        let link = |links: &mut Vec<Vec<usize>>, i: usize, j: usize| links[i].push(j);
        for meeting in &model.totals {
            let PairTotal { first, second, games, points, .. } = *meeting;
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
        for couple in anchors.windows(2) {
            for links in [&mut met, &mut scored] {
                link(links, couple[0], couple[1]);
                link(links, couple[1], couple[0]);
            }
        }
        let (of, n) = renamed(&strong_classes(&met));
        let (classes, _) = renamed(&strong_classes(&scored));
        let (mut anchored, mut size) = (vec![false; n], vec![0; n]);
        for i in 0..model.n {
            anchored[of[i]] |= model.fixed[i].is_some();
            size[of[i]] += 1;
        }
        Groups { n, of, anchored, size, classes }
    }

    /// Takes the mean of every group without anchors out of the players' part of a direction.
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

/// Gives every class that took all points, or none, from the rest half a virtual draw, spread over the games with
/// the rest. The largest class of a group needs none: what the others got bounds it as well.
pub(super) fn add_priors(model: &mut BradleyTerry, groups: &Groups) -> Vec<Prior> {
    let n_classes = groups.classes.iter().max().map_or(0, |last| last + 1);
    let crossing = |meeting: &&PairTotal| groups.classes[meeting.first] != groups.classes[meeting.second];
    let mut across = vec![0.0; n_classes];
    let (mut lost, mut won) = (vec![false; n_classes], vec![false; n_classes]);
    for meeting in model.totals.iter().filter(crossing) {
        let [one, other] = [meeting.first, meeting.second].map(|player| groups.classes[player]);
        across[one] += meeting.games;
        across[other] += meeting.games;
        // Between classes all points go one way.
        let (winner, loser) = if meeting.points > 0.0 { (one, other) } else { (other, one) };
        won[winner] = true;
        lost[loser] = true;
    }
    let given = classes_in_need(groups, &across, model);
    let virtual_draw = |meeting: &PairTotal| {
        let share = |player: usize| {
            let class = groups.classes[player];
            if given[class] { VIRTUAL * meeting.games / across[class] } else { 0.0 }
        };
        let games = share(meeting.first) + share(meeting.second);
        PairTotal { games, points: 0.5 * games, sided: false, ..*meeting }
    };
    let draws: Vec<PairTotal> = model.totals.iter().filter(crossing).map(virtual_draw).collect();
    model.totals.extend(draws);
    let prior = |i: usize| {
        let class = groups.classes[i];
        // The class that the others are measured by is bounded by what its players took from each other.
        let given = given[class] && model.fixed[i].is_none();
        Prior { given, no_top: given && !lost[class], no_bottom: given && !won[class] }
    };
    (0..model.n).map(prior).collect()
}

/// All classes with games across, less the one that is larger than any other of its group, or holds the anchors.
fn classes_in_need(groups: &Groups, across: &[f64], model: &BradleyTerry) -> Vec<bool> {
    let mut size = vec![0usize; across.len()];
    let mut group = vec![0; across.len()];
    for (i, &class) in groups.classes.iter().enumerate() {
        // Anchors need no help, wherever they are.
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

/// The same classes, numbered by their first player.
fn renamed(classes: &[usize]) -> (Vec<usize>, usize) {
    let mut names = vec![usize::MAX; classes.len()];
    let mut n = 0;
    let mut rename = |class: usize| {
        if names[class] == usize::MAX {
            names[class] = n;
            n += 1;
        }
        names[class]
    };
    let renamed = classes.iter().map(|&class| rename(class)).collect();
    (renamed, n)
}

/// Strongly connected components by Tarjan's walk, without recursion: for each node the number of its class.
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
