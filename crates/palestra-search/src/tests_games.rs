//! Alpha-beta and principal variation search compared with plain minimax, on every game, with a pseudo-random
//! evaluation.

use crate::{AlphaBeta, Cuts, IterativeDeepening, Minimax, RootWindow, Search, SearchLimit};
use palestra_core::{
    Convention, Evaluator, Family, Game, GameVisitor, Noise, Playable, Seed, Side, TerminalValue, TieRule,
};
use palestra_games::connect::ConnectFamily;
use palestra_games::kalah::KalahFamily;
use palestra_games::ladrillos::LadrillosFamily;
use palestra_games::mancala::MancalaFamily;
use palestra_games::mastergoal::MastergoalFamily;

/// Compares on positions of random games, at every depth up to `depth`.
struct Compare {
    n_positions: u32,
    depth: u32,
    table_bytes: usize,
    n_threads: usize,
}

impl GameVisitor for Compare {
    type Out = ();

    fn visit<G: Playable>(self, game: G) {
        for (at, noise) in positions(&game, self.n_positions) {
            for depth in 1..=self.depth {
                self.compare(&game, &at, &noise, depth);
                if game.n_symmetries() > 0 {
                    self.compare(&game, &at, &SymmetricNoise(noise), depth);
                }
            }
        }
    }
}

/// Positions of random games that have not ended, each with an evaluation.
fn positions<G: Playable>(game: &G, n_positions: u32) -> Vec<(G::Position, Noise)> {
    let mut moves = Vec::new();
    let mut position = |i: u32| {
        let mut rng = Seed(11).child(u64::from(i)).rng();
        let mut at = game.unclocked(&game.start()).into_owned();
        for _ in 0..i % 30 {
            let Some(mv) = game.random_move(&at, &mut rng, &mut moves) else { break };
            game.play(&mut at, mv);
        }
        game.ending(&at).is_none().then_some((at, Noise { seed: Seed(u64::from(i)) }))
    };
    (0..n_positions).filter_map(&mut position).collect()
}

/// Compares alpha-beta on positions of random games, at every depth up to `depth`.
struct CompareAlphaBeta {
    n_positions: u32,
    depth: u32,
}

impl GameVisitor for CompareAlphaBeta {
    type Out = ();

    fn visit<G: Playable>(self, game: G) {
        for (at, noise) in positions(&game, self.n_positions) {
            for depth in 1..=self.depth {
                alphabeta(&game, &at, &noise, depth, &[RootWindow::Narrowed, RootWindow::Full]);
                // The study's window ends at the value of a won game.
                alphabeta(&game, &at, &Modest(noise), depth, &[RootWindow::Narrowed]);
            }
        }
    }
}

/// Noise that is the same for all images of a position.
#[derive(Clone, Copy)]
struct SymmetricNoise(Noise);

impl<G: Game> Evaluator<G> for SymmetricNoise {
    type Accumulator = ();

    fn begin(&self, _game: &G, _at: &G::Position) {}

    fn advance(&self, _game: &G, _accumulator: &mut (), _at: &G::Position, _mv: G::Move) {}

    fn value(&self, game: &G, at: &G::Position, _accumulator: &(), view: Side) -> f64 {
        let drawn = self.0.seed.child(view.index() as u64).child(game.symmetric_key(at).0).0;
        (drawn % 40_000) as f64 - 20_000.0
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    fn convention(&self) -> Convention {
        Evaluator::<G>::convention(&self.0)
    }
}

/// Noise with values far above that of a won game, and many equal ones.
#[derive(Clone, Copy)]
struct Modest(Noise);

impl<G: Game> Evaluator<G> for Modest {
    type Accumulator = ();

    fn begin(&self, _game: &G, _at: &G::Position) {}

    fn advance(&self, _game: &G, _accumulator: &mut (), _at: &G::Position, _mv: G::Move) {}

    fn value(&self, game: &G, at: &G::Position, accumulator: &(), view: Side) -> f64 {
        (self.0.value(game, at, accumulator, view) / 4000.0).trunc()
    }

    fn convention(&self) -> Convention {
        Convention { endings: TerminalValue::SearchOnly(2.0), ..Convention::default() }
    }
}

/// Move and value are those of minimax by either tie rule; every value that is known of another root move is exact.
fn alphabeta<G, E>(game: &G, at: &G::Position, noise: &E, depth: u32, roots: &[RootWindow])
where
    G: Playable,
    E: Evaluator<G, Accumulator = ()>,
{
    for ties in [TieRule::First, TieRule::Last] {
        let mut minimax = Minimax::new(depth, Some(ties));
        let plain = minimax.find(game, noise, at, &());
        let scored = Search::<G, E>::scored_moves(&minimax);
        let forms = [Cuts::Deep, Cuts::Shallow].map(|cuts| roots.iter().map(move |&root| (cuts, root)));
        for (cuts, root) in forms.into_iter().flatten() {
            let context =
                || format!("{game} at {} to depth {depth}, {cuts:?} {root:?} {ties:?}", game.setup(at));
            let mut search = AlphaBeta::new(depth, cuts, root, Some(ties));
            let found = search.find(game, noise, at, &());
            assert_eq!((found.mv, found.value), (plain.mv, plain.value), "{}", context());
            assert!(found.nodes <= plain.nodes, "{}", context());
            let known = Search::<G, E>::scored_moves(&search);
            assert!(known.iter().all(|known| scored.contains(known)), "{}", context());
            Search::<G, E>::score_every_move(&mut search);
            let again = search.find(game, noise, at, &());
            assert_eq!((again.mv, again.value), (plain.mv, plain.value), "{}", context());
            assert_eq!(Search::<G, E>::scored_moves(&search), scored, "{}", context());
        }
    }
}

impl Compare {
    fn compare<G, E>(&self, game: &G, at: &G::Position, noise: &E, depth: u32)
    where
        G: Playable,
        E: Evaluator<G, Accumulator = ()>,
    {
        let limit = SearchLimit { depth, nodes: None, time: None };
        let mut minimax = Minimax::new(depth, None);
        let plain = minimax.find(game, noise, at, &());
        let scored = Search::<G, E>::scored_moves(&minimax);
        let single = IterativeDeepening::new(limit, self.table_bytes, None).find(game, noise, at, &());
        let mut search = IterativeDeepening::new(limit, self.table_bytes, None).on_threads(self.n_threads);
        // Twice: entries in the table must not change the result.
        for _ in 0..2 {
            let result = search.find(game, noise, at, &());
            let context = || format!("{game} at {} to depth {depth}", game.setup(at));
            assert_eq!(result.value, plain.value, "{}", context());
            assert_eq!(result.mv, single.mv, "{}, {} threads", context(), self.n_threads);
            let chosen = scored.iter().find(|scored| scored.mv == result.mv).unwrap();
            assert_eq!(chosen.value, plain.value, "{}: {} is not best", context(), result.mv);
            let TerminalValue::SearchOnly(win) = Evaluator::<G>::convention(noise).endings else {
                unreachable!()
            };
            if plain.value.abs() < win {
                assert_eq!(result.mv, plain.mv, "{}", context());
            }
            let report = Search::<G, E>::report(&search).unwrap();
            assert_eq!(report.pv[0], result.mv);
            assert!(report.depth >= 1 && report.pv.len() as u32 <= report.depth, "{}", context());
        }
    }
}

fn compare<F: Family>(parameters: &str, n_positions: u32, depth: u32) {
    F::open(parameters, CompareAlphaBeta { n_positions: n_positions.div_ceil(4), depth }).unwrap();
    // A table so small that entries are soon replaced, and one that is large enough.
    for table_bytes in [1 << 10, 1 << 22] {
        let n_positions = n_positions / 2;
        F::open(parameters, Compare { n_positions, depth, table_bytes, n_threads: 1 }).unwrap();
    }
    for n_threads in [2, 4] {
        let n_positions = n_positions.div_ceil(8);
        F::open(parameters, Compare { n_positions, depth, table_bytes: 1 << 16, n_threads }).unwrap();
    }
}

#[test]
fn connect() {
    compare::<ConnectFamily>("7x6x4", 400, 5);
    compare::<ConnectFamily>("3x3x3", 100, 9);
    compare::<ConnectFamily>("9x8x5", 40, 4);
}

#[test]
fn ladrillos() {
    compare::<LadrillosFamily>("3", 60, 6);
    compare::<LadrillosFamily>("4", 60, 4);
    compare::<LadrillosFamily>("7", 30, 2);
}

#[test]
fn mancala() {
    compare::<MancalaFamily>("uam", 200, 5);
    compare::<KalahFamily>("6x4", 200, 5);
    compare::<KalahFamily>("2x3", 100, 20);
}

#[test]
fn mastergoal() {
    compare::<MastergoalFamily>("1", 60, 3);
    compare::<MastergoalFamily>("2", 20, 2);
    compare::<MastergoalFamily>("2+1", 6, 2);
    compare::<MastergoalFamily>("3", 2, 2);
}
