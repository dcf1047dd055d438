//! Search nodes allocate nothing: the caller owns the buffers, and they grow only in the first pass.

use allocation_counter::measure;
use palestra_arena::{PlayerSpec, greedy_match_of};
use palestra_core::{
    EvaluationVisitor, Evaluator, Family, FeatureSet, GameVisitor, Linear, ParametricEvaluator, Playable,
    Progress, Seed, count_sequences, playout,
};
use palestra_games::connect::ConnectFamily;
use palestra_games::kalah::KalahFamily;
use palestra_games::ladrillos::LadrillosFamily;
use palestra_games::mancala::MancalaFamily;
use palestra_games::mastergoal::MastergoalFamily;
use palestra_search::SearchSpec;
use palestra_search::exact::solver;

/// One board for each bitboard width, in machine words.
const BOARDS: [&str; 5] = ["7x6x4", "9x8x5", "14x14x7", "18x17x9", "32x32x6"];

fn on_every_board(visitor: impl GameVisitor<Out = ()> + Copy) {
    for size in BOARDS {
        ConnectFamily::open(size, visitor).unwrap();
    }
}

/// Calls `work` once so that the buffers grow, then again and counts its allocations.
fn check_second_is_free(what: &str, mut work: impl FnMut()) {
    let first = measure(&mut work).count_total;
    let second = measure(&mut work).count_total;
    assert_eq!(second, 0, "{what}: {first} allocations at first, {second} again");
}

#[derive(Clone, Copy)]
struct PlayDuels;

impl GameVisitor for PlayDuels {
    type Out = ();

    fn visit<G: Playable>(self, game: G) {
        for set in ["lines", "lines-coded"] {
            let [a, b] = ["1000,-500,80,-2,2,80", "1,-1,10,-10,1,-1"].map(|weights| {
                PlayerSpec::parse(&format!("greedy/{set}/{weights}"), &game, &ConnectFamily::INFO).unwrap()
            });
            let mut head_to_head = greedy_match_of(&game, [&a, &b]).unwrap();
            let start = game.start();
            let mut played = Vec::new();
            check_second_is_free(&format!("duels over {set} on {game}"), || {
                for first in [0, 1] {
                    played.clear();
                    head_to_head.play(&game, &start, first, &mut played);
                    assert!(!played.is_empty());
                }
            });
        }
    }
}

#[test]
fn head_to_heads() {
    on_every_board(PlayDuels);
}

/// Searches the positions of one random game, twice.
#[derive(Clone, Copy)]
struct SearchGames;

impl GameVisitor for SearchGames {
    type Out = ();

    fn visit<G: Playable>(self, game: G) {
        let mut positions = vec![game.start()];
        let (mut rng, mut scratch) = (Seed(3).rng(), Vec::new());
        while positions.len() < 12
            && let Some(at) = positions.last().cloned()
            && let Some(mv) = game.random_move(&at, &mut rng, &mut scratch)
        {
            positions.push(at);
            game.play(positions.last_mut().unwrap(), mv);
        }
        positions.retain(|at| game.ending(at).is_none());
        for info in game.evaluations() {
            let visitor = SearchPositions { game: &game, positions: &positions, evaluation: info.name };
            game.evaluation(info.name, visitor).unwrap();
        }
    }
}

struct SearchPositions<'a, G: Playable> {
    game: &'a G,
    positions: &'a [G::Position],
    evaluation: &'static str,
}

impl<G: Playable> SearchPositions<'_, G> {
    fn search<E: Evaluator<G>>(self, evaluator: &E) {
        let game = self.game;
        // Big boards have many moves: two plies of them are as many nodes as four of Connect 4.
        let depth = if game.to_string() == "connect:7x6x4" { 4 } else { 2 };
        for name in
            ["greedy", "minimax:depth=D", "alphabeta:depth=D", "adaptive:k=3,x=0.5", "ab:depth=D,memory=1"]
        {
            let name = name.replace('D', &depth.to_string());
            let mut search = SearchSpec::parse(&name, &name).unwrap().open::<G, E>();
            let memos: Vec<E::Accumulator> =
                self.positions.iter().map(|at| evaluator.begin(game, at)).collect();
            check_second_is_free(&format!("{name} over {} on {game}", self.evaluation), || {
                for (at, memo) in self.positions.iter().zip(&memos) {
                    search.find(game, evaluator, at, memo);
                }
            });
        }
    }
}

impl<G: Playable> EvaluationVisitor<G> for SearchPositions<'_, G> {
    type Out = ();

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) {
        let n_weights = set.features().iter().filter(|feature| feature.fixed.is_none()).count();
        self.search(&Linear::new::<G>(set, &vec![1.0; n_weights]));
    }

    fn other<T: ParametricEvaluator<G>>(self, template: T) {
        let weights = vec![1.0; template.parameters().len()];
        self.search(&template.build(&weights).unwrap());
    }
}

#[test]
fn searches() {
    on_every_board(SearchGames);
    MancalaFamily::open("uam", SearchGames).unwrap();
    KalahFamily::open("6x4", SearchGames).unwrap();
    LadrillosFamily::open("4", SearchGames).unwrap();
    MastergoalFamily::open("1", SearchGames).unwrap();
}

#[derive(Clone, Copy)]
struct PlayOut;

impl GameVisitor for PlayOut {
    type Out = ();

    fn visit<G: Playable>(self, game: G) {
        let mut scratch = Vec::new();
        check_second_is_free(&format!("playouts on {game}"), || {
            let mut rng = Seed(1).rng();
            for _ in 0..20 {
                playout(&game, &mut game.start(), &mut rng, &mut scratch);
            }
        });
    }
}

#[test]
fn playouts() {
    on_every_board(PlayOut);
    MancalaFamily::open("uam", PlayOut).unwrap();
    KalahFamily::open("12x12", PlayOut).unwrap();
    LadrillosFamily::open("11", PlayOut).unwrap();
    for level in ["1", "2", "2+1", "3"] {
        MastergoalFamily::open(level, PlayOut).unwrap();
    }
}

#[derive(Clone, Copy)]
struct CountMoves;

impl GameVisitor for CountMoves {
    type Out = ();

    /// Each call allocates the counts and one stack of moves; the stack grows by doubling.
    fn visit<G: Playable>(self, game: G) {
        let count = |depth| measure(|| drop(count_sequences(&game, &game.start(), depth))).count_total;
        assert!(count(2) > 0, "the counter counts");
        assert!(count(6) <= count(2) + 3, "{} allocations at depth 6, {} at depth 2", count(6), count(2));
    }
}

#[test]
fn counting_moves() {
    ConnectFamily::open("7x6x4", CountMoves).unwrap();
}

/// Solves one position of more than 20,000 nodes: allocations depend on the number of solver calls, not of nodes.
#[derive(Clone, Copy)]
struct Solve(&'static str);

impl GameVisitor for Solve {
    type Out = ();

    fn visit<G: Playable>(self, game: G) {
        let mut solver = solver(&game, 1 << 24, 1).unwrap();
        let (at, _) = game.play_list(&game.start(), self.0).unwrap();
        let course = Progress::default();
        let count = measure(|| assert!(solver.value(&game, &at, &course).is_ok())).count_total;
        assert!(course.done() > 20_000, "{} nodes of {game}", course.done());
        assert!(count < 100, "{count} allocations for {} nodes of {game}", course.done());
    }
}

#[test]
fn solving() {
    ConnectFamily::open("7x6x4", Solve("37266454131251")).unwrap();
    KalahFamily::open("4x4", Solve("-")).unwrap();
    LadrillosFamily::open("5", Solve("-")).unwrap();
}
