//! The feature sets: which numbers each evaluation weighs, by name and in what order.

use super::rules::{Brick, Ladrillos, Position};
use super::scan::{Scan, Version};
use super::scene::{Scene, Tally, slot};
use super::zones::Zones;
use palestra_core::{Convention, Endings, Feature, FeatureSet, FeatureTable, Side, Step, Sum};

/// One number a side sees in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Term {
    Score,
    OwnPoints,
    OwnExpansion,
    RivalExpansion,
    OwnReach,
    RivalReach,
    Distance,
    FromWalls,
    DivisionsOne,
    DivisionsTwo,
    Nothing,
    Enclosed,
    Mirror,
    Closing,
}

/// The order of the study's sum (rules, section 3): score, distance, own expansion, enemy expansion, divisions;
/// then what was added. Here in the places of `islands`.
const ISLANDS_ORDER: &[usize] = &[0, 3, 1, 2, 4, 5, 6, 7];
/// The same in the places of `islands-masters`; the fifth weight is without effect.
const MASTERS_ORDER: &[usize] = &[0, 5, 1, 2, 3, 6, 7, 8];
/// Where the features stand in the order of the sum already.
const PLAIN_ORDER: &[usize] = &[0, 1, 2, 3, 4, 5, 6, 7];

/// The features of an evaluation, in the order of their weights.
#[derive(Clone, Debug)]
pub(super) struct Terms<const C: usize> {
    terms: Vec<Term>,
    features: Vec<Feature>,
    order: &'static [usize],
    zones: Zones<C>,
}

impl<const C: usize> Terms<C> {
    /// Reads a name such as `islands`, `islands-report:divisions=2` or `islands+enclosed+mirror`.
    pub(super) fn named<const W: usize, const L: usize>(
        game: &Ladrillos<W, C, L>,
        name: &str,
    ) -> Option<Terms<C>> {
        let mut parts = name.split('+');
        let first = parts.next()?;
        let (mut terms, order) = match first {
            "islands" => (
                vec![
                    Term::Score,
                    Term::OwnExpansion,
                    Term::RivalExpansion,
                    Term::Distance,
                    Term::DivisionsTwo,
                ],
                ISLANDS_ORDER,
            ),
            "islands-masters" => (
                vec![
                    Term::Score,
                    Term::OwnExpansion,
                    Term::RivalExpansion,
                    Term::DivisionsOne,
                    Term::Nothing,
                    Term::Distance,
                ],
                MASTERS_ORDER,
            ),
            "islands-report" | "islands-report:divisions=1" => (report(Term::DivisionsOne), PLAIN_ORDER),
            "islands-report:divisions=2" => (report(Term::DivisionsTwo), PLAIN_ORDER),
            single => (vec![single_term(single)?], PLAIN_ORDER),
        };
        for part in parts {
            let term = single_term(part)?;
            if terms.contains(&term) {
                return None;
            }
            terms.push(term);
        }
        let mut features: Vec<Feature> = terms.iter().map(|term| term.feature(game.n)).collect();
        if first == "islands-masters" {
            features[5].fixed = Some(1.0);
        }
        let n_summed = terms.len() - usize::from(first == "islands-masters");
        Some(Terms { terms, features, order: &order[..n_summed], zones: Zones::new(game) })
    }

    fn has(&self, wanted: &[Term]) -> bool {
        self.terms.iter().any(|term| wanted.contains(term))
    }

    /// Where in a tally each feature is read, and what is taken off.
    fn slots(&self, view: Side) -> [[usize; 2]; MOST] {
        let mut slots = [[slot::NOTHING; 2]; MOST];
        for (slots, term) in slots.iter_mut().zip(&self.terms) {
            *slots = term.slots(view);
        }
        slots
    }

    /// Adds what the tally does not hold.
    fn look<const W: usize, const L: usize>(
        &self,
        game: &Ladrillos<W, C, L>,
        at: &Position<W, C, L>,
        view: Side,
        out: &mut [i32],
    ) {
        for (value, term) in out.iter_mut().zip(&self.terms) {
            match term {
                Term::Enclosed => *value = game.enclosed(at, view),
                Term::Mirror => *value = game.mirror(at, view),
                Term::Closing => *value = game.closing(at, view),
                _ => {}
            }
        }
    }
}

/// Most features of a set: the six of `islands-masters` and three more.
const MOST: usize = 9;

fn report(divisions: Term) -> Vec<Term> {
    vec![Term::OwnPoints, Term::FromWalls, Term::OwnReach, Term::RivalReach, divisions]
}

/// The features that are sets of their own and may be added to others.
fn single_term(name: &str) -> Option<Term> {
    match name {
        "enclosed" => Some(Term::Enclosed),
        "mirror" => Some(Term::Mirror),
        "closing" => Some(Term::Closing),
        _ => None,
    }
}

impl Term {
    fn feature(self, n: usize) -> Feature {
        let side = n as i32;
        let cells = side * side;
        let squares = cells * cells;
        let counted = |name, meaning, high| Feature::new(name, meaning, 0, high);
        let taken_off = |name, meaning, high| Feature { unit: -1.0, ..Feature::new(name, meaning, 0, high) };
        match self {
            Term::Score => Feature::new(
                "score",
                "own points less the rival's: islands by the square of their cells",
                -squares,
                squares,
            ),
            Term::OwnPoints => counted("score", "own points: islands by the square of their cells", squares),
            Term::OwnExpansion => counted(
                "own-expansion",
                "each free cell once, by the size of the largest own island that touches it",
                squares,
            ),
            Term::RivalExpansion => taken_off(
                "enemy-expansion",
                "each free cell once, by the size of the largest rival island that touches it",
                squares,
            ),
            Term::OwnReach => {
                counted("own-expansion", "own islands: size times free cells that touch the island", squares)
            }
            Term::RivalReach => taken_off(
                "enemy-expansion",
                "rival islands: size times free cells that touch the island",
                squares,
            ),
            Term::Distance => counted(
                "distance",
                "own cells by row, column, or board side less row or column, whichever is least, counted from 0",
                cells * side,
            ),
            Term::FromWalls => {
                taken_off("distance", "own cells by how far the nearest wall is", cells * side)
            }
            Term::DivisionsOne => counted(
                "divisions",
                "walls whose middle one own island joins to the middle of the board, times the board's side",
                4 * side,
            ),
            Term::DivisionsTwo => counted(
                "divisions",
                "half walls that one own island joins to the middle of the board, times the board's side",
                8 * side,
            ),
            Term::Nothing => {
                counted("p5", "without effect: always 0, the program did not use this weight", 0)
            }
            Term::Enclosed => counted("enclosed", "rival cells with no free and some own neighbor", cells),
            Term::Mirror => counted(
                "mirror",
                "own cells opposite a rival's across the middle: bricks answered by symmetry",
                cells,
            ),
            Term::Closing => taken_off(
                "closing",
                "free cells that the rival's largest island can get to around own bricks",
                cells,
            ),
        }
    }

    fn slots(self, view: Side) -> [usize; 2] {
        let (own, rival) = (view.index(), view.other().index());
        let plain = |slot| [slot, slot::NOTHING];
        match self {
            Term::Score => [slot::POINTS + own, slot::POINTS + rival],
            Term::OwnPoints => plain(slot::POINTS + own),
            Term::OwnExpansion => plain(slot::EXPANSION + own),
            Term::RivalExpansion => plain(slot::EXPANSION + rival),
            Term::OwnReach => plain(slot::REACH + own),
            Term::RivalReach => plain(slot::REACH + rival),
            Term::Distance => plain(slot::DISTANCE + own),
            Term::FromWalls => plain(slot::FROM_WALLS + own),
            Term::DivisionsOne => plain(slot::DIVISIONS_ONE + own),
            Term::DivisionsTwo => plain(slot::DIVISIONS_TWO + own),
            Term::Nothing | Term::Enclosed | Term::Mirror | Term::Closing => plain(slot::NOTHING),
        }
    }

    fn scan<const C: usize>(self, scan: &Scan<C>, view: Side) -> i32 {
        let rival = view.other();
        match self {
            Term::Score => scan.points(view) - scan.points(rival),
            Term::OwnPoints => scan.points(view),
            Term::OwnExpansion => scan.expansion(view),
            Term::RivalExpansion => scan.expansion(rival),
            Term::OwnReach => scan.reach(view),
            Term::RivalReach => scan.reach(rival),
            Term::Distance => scan.distance(view),
            Term::FromWalls => scan.from_walls(view),
            Term::DivisionsOne => scan.divisions(view, Version::One),
            Term::DivisionsTwo => scan.divisions(view, Version::Two),
            Term::Nothing => 0,
            Term::Enclosed => scan.enclosed(view),
            Term::Mirror => scan.mirror(view),
            Term::Closing => scan.closing(view),
        }
    }
}

/// Terms that are read off the whole board after the move.
const LOOKS: &[Term] = &[Term::Enclosed, Term::Mirror, Term::Closing];
/// Terms that only the report's set has.
const REPORTED: &[Term] = &[Term::OwnReach, Term::RivalReach, Term::FromWalls];

#[inline(always)]
fn read(tally: &Tally, slots: &[[usize; 2]; MOST], out: &mut [i32]) {
    for (value, &[plus, minus]) in out.iter_mut().zip(slots) {
        *value = tally[plus % 16] - tally[minus % 16];
    }
}

impl<const W: usize, const C: usize, const L: usize> FeatureSet<Ladrillos<W, C, L>> for Terms<C> {
    type Memo = Scene<W, C, L>;

    fn features(&self) -> &[Feature] {
        &self.features
    }

    fn extract(&self, game: &Ladrillos<W, C, L>, at: &Position<W, C, L>, view: Side, out: &mut [i32]) {
        let mut scan = Scan::new(game, at);
        if self.terms.iter().any(|term| !matches!(term, Term::Enclosed | Term::Mirror)) {
            scan = scan.with_islands();
        }
        for (value, term) in out.iter_mut().zip(&self.terms) {
            *value = term.scan(&scan, view);
        }
    }

    fn begin(&self, game: &Ladrillos<W, C, L>, at: &Position<W, C, L>) -> Scene<W, C, L> {
        Scene::new(game, &self.zones, at)
    }

    fn advance(
        &self,
        game: &Ladrillos<W, C, L>,
        scene: &mut Scene<W, C, L>,
        at: &Position<W, C, L>,
        mv: Brick,
    ) {
        let mut after = at.clone();
        palestra_core::Game::play(game, &mut after, mv);
        *scene = Scene::new(game, &self.zones, &after);
    }

    fn recall(
        &self,
        game: &Ladrillos<W, C, L>,
        at: &Position<W, C, L>,
        scene: &Scene<W, C, L>,
        view: Side,
        out: &mut [i32],
    ) {
        read(&scene.tally, &self.slots(view), out);
        self.look(game, at, view, out);
    }

    #[inline]
    fn extract_child(
        &self,
        game: &Ladrillos<W, C, L>,
        step: &Step<'_, Ladrillos<W, C, L>>,
        scene: &Scene<W, C, L>,
        view: Side,
        out: &mut [i32],
    ) {
        let tally = scene.after(game, &self.zones, step.at, step.mv, self.has(REPORTED));
        read(&tally, &self.slots(view), out);
        self.look(game, step.after, view, out);
    }

    #[inline]
    fn extract_children(
        &self,
        game: &Ladrillos<W, C, L>,
        at: &Position<W, C, L>,
        scene: &Scene<W, C, L>,
        view: Side,
        moves: &[Brick],
        out: &mut FeatureTable,
    ) {
        let n_features = self.terms.len();
        let (slots, with_reach, looks) = (self.slots(view), self.has(REPORTED), self.has(LOOKS));
        let mut row = [0; MOST];
        let row = &mut row[..n_features];
        out.reset(n_features, moves.len());
        for (child, &mv) in moves.iter().enumerate() {
            let tally = scene.after(game, &self.zones, at, mv, with_reach);
            read(&tally, &slots, row);
            if looks {
                let mut after = at.clone();
                palestra_core::Game::play(game, &mut after, mv);
                self.look(game, &after, view, row);
            }
            out.set_child(child, row);
        }
    }

    /// The study's program judged finished boards like any other, took the first of equals, and summed in
    /// 32 bits.
    fn convention(&self) -> Convention {
        Convention { endings: Endings::AsEvaluated, sum: Sum::Single(self.order), ..Convention::default() }
    }
}
