//! A cohort gives what playing every game gives.

use super::{Cohort, Gather, can_meet_cohort, cohort_of};
use crate::build::build;
use crate::spec::PlayerSpec;
use crate::{Player, duel_of, play_game};
use palestra_core::{
    Ending, EvaluationVisitor, Family, FamilyInfo, FeatureSet, Game, GameVisitor, Playable, Seed, Side,
    Template, print_weights,
};
use palestra_games::connect::ConnectFamily;
use palestra_games::kalah::KalahFamily;
use palestra_games::ladrillos::LadrillosFamily;
use palestra_games::mancala::MancalaFamily;
use palestra_games::mastergoal::MastergoalFamily;
use palestra_search::SearchSpec;
use rand::RngExt;
use std::cell::Cell;

/// How every member's game ended.
type Endings = Vec<(Ending, u32)>;

fn search(text: &str) -> SearchSpec {
    SearchSpec::parse(text, text).unwrap()
}

fn play_cohort<G: Playable>(
    game: &G,
    cohort: &mut dyn Cohort<G>,
    side: Side,
    rival: &PlayerSpec,
) -> Vec<(Ending, u32)> {
    let mut endings: Vec<Option<(Ending, u32)>> = vec![None; cohort.n_members()];
    let all =
        cohort.play(game, &game.start(), side, rival, Seed(5), &|| false, &mut |members, ending, plies| {
            for &member in members {
                let told = endings[member as usize].replace((*ending, plies));
                assert_eq!(told, None, "each member is named once");
            }
        });
    assert!(all);
    endings.into_iter().map(|ending| ending.expect("each member is named")).collect()
}

/// How many weights an evaluation takes.
struct Count;

impl<G: Game> EvaluationVisitor<G> for Count {
    type Out = usize;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> usize {
        set.features().iter().filter(|feature| feature.fixed.is_none()).count()
    }

    fn other<T: Template<G>>(self, _template: T) -> usize {
        0
    }
}

/// How weights are drawn.
#[derive(Clone, Copy)]
enum Draw {
    /// Small whole numbers, with many ties; all 0 for the first member.
    Whole,
    /// All the same, but for their sign.
    Alike,
    /// Large whole numbers.
    Large,
    /// Any numbers: sums are rounded.
    Any,
}

impl Draw {
    fn rows(self, n_members: usize, n_weights: usize) -> Vec<Vec<f64>> {
        let mut rng = Seed(n_weights as u64).rng();
        let mut weight = |member: usize| match self {
            Draw::Whole if member == 0 => 0.0,
            Draw::Whole => f64::from(rng.random_range(-3..=3)),
            Draw::Alike => f64::from(rng.random_range(0..2) * 2 - 1),
            Draw::Large => f64::from(rng.random_range(-1_000_000..=1_000_000)),
            Draw::Any => rng.random_range(-1.0..1.0),
        };
        (0..n_members).map(|member| (0..n_weights).map(|_| weight(member)).collect()).collect()
    }
}

/// Compares a cohort with one game after the other.
struct Check<'a> {
    info: &'static FamilyInfo,
    search: &'a str,
    evaluation: &'a str,
    draw: Draw,
    rivals: &'a [&'a str],
}

impl Check<'_> {
    fn one_by_one<G: Playable>(
        &self,
        game: &G,
        rows: &[Vec<f64>],
        side: Side,
        rival: &PlayerSpec,
    ) -> Endings {
        let play = |weights: &Vec<f64>| {
            let text = format!("{}/{}/{}", self.search, self.evaluation, print_weights(weights));
            let member = PlayerSpec::parse(&text, game, self.info).unwrap();
            let (mut own, mut other) = (build(game, &member), build(game, rival));
            let seats: [&mut dyn Player<G>; 2] = match side {
                Side::First => [own.as_mut(), other.as_mut()],
                Side::Second => [other.as_mut(), own.as_mut()],
            };
            let played = play_game(game, &game.start(), seats, Seed(5));
            if let Some(mut duel) = duel_of(game, [&member, rival]) {
                let mut moves = Vec::new();
                let ending = duel.play(game, &game.start(), side.index(), &mut moves);
                assert_eq!((ending, moves.len()), (played.ending, played.moves.len()));
            }
            (played.ending, played.moves.len() as u32)
        };
        rows.iter().map(play).collect()
    }
}

impl GameVisitor for Check<'_> {
    type Out = usize;

    /// Says how many different endings there were.
    fn visit<G: Playable>(self, game: G) -> usize {
        let n_weights = game.evaluation(self.evaluation, Count).unwrap();
        let rows = self.draw.rows(12, n_weights);
        let (search, weights) = (search(self.search), rows.concat());
        let mut cohort = cohort_of(&game, &search, self.evaluation, &weights).expect("a linear evaluation");
        let plain = Gather { may_be_exact: false, ..Gather::new(&search, self.evaluation, &weights) };
        let mut plain = game.evaluation(self.evaluation, plain).flatten().expect("a linear evaluation");
        let mut ways = Vec::new();
        for rival in self.rivals {
            let rival = PlayerSpec::parse(rival, &game, self.info).unwrap();
            assert!(can_meet_cohort(&rival), "{rival}");
            for side in Side::BOTH {
                let expected = self.one_by_one(&game, &rows, side, &rival);
                let place = || format!("{game}, {}, {side} against {rival}", self.evaluation);
                assert_eq!(play_cohort(&game, cohort.as_mut(), side, &rival), expected, "{}", place());
                assert_eq!(play_cohort(&game, plain.as_mut(), side, &rival), expected, "plain: {}", place());
                ways.extend(expected);
            }
        }
        ways.sort_by_key(|(ending, plies)| (*plies, ending.winner, ending.margin));
        ways.dedup();
        ways.len()
    }
}

fn check<F: Family>(parameters: &str, evaluation: &str, rivals: &[&str]) {
    let ways = [
        ("greedy", Draw::Whole),
        ("greedy:ties=last", Draw::Whole),
        ("greedy", Draw::Alike),
        ("greedy:ties=first", Draw::Large),
        ("greedy", Draw::Any),
    ];
    for (search, draw) in ways {
        let check = Check { info: &F::INFO, search, evaluation, draw, rivals };
        let n_ways = F::open(parameters, check).unwrap();
        assert!(n_ways > 1, "{parameters} {evaluation}: games differ");
    }
}

#[test]
fn connect_cohorts_equal_single_games() {
    let greedy = ["rival-4", "greedy:ties=last/lines/3,-2,1,-1,2,0", "greedy/threes/4,4,1,2"];
    let simple = ["random", "last", "first", "greedy/noise"];
    let deep = ["minimax:depth=2/threes/4,4,1,2", "alphabeta:depth=2/lines/9,-5,3,-2,1,1"];
    check::<ConnectFamily>("7x6x4", "lines", &[&greedy[..], &simple, &deep].concat());
    check::<ConnectFamily>("9x8x5", "lines-coded", &greedy);
    check::<ConnectFamily>("5x4x3x6", "threes", &[&greedy[..], &simple, &deep].concat());
    check::<ConnectFamily>("7x6x4", "threes", &["greedy/potential/1,2,3,2,-1,2,3,2,100,-50"]);
}

#[test]
fn ladrillos_cohorts_equal_single_games() {
    let rivals = ["greedy/islands/3,2,5,3,4", "random", "last", "alphabeta:depth=2/islands/3,2,5,3,4"];
    check::<LadrillosFamily>("5", "islands", &rivals);
    check::<LadrillosFamily>(
        "7",
        "islands-masters+closing",
        &["masters-1", "heurb", "beam:depth=2,width=3/margin"],
    );
}

#[test]
fn mastergoal_cohorts_equal_single_games() {
    check::<MastergoalFamily>(
        "1,limit=60",
        "level1",
        &["hand-level1", "random", "minimax:depth=1/level1/1,2,3,4,5,6,7,8"],
    );
    check::<MastergoalFamily>("3,limit=20", "level3", &["hand-level3", "random"]);
}

#[test]
fn mancala_cohorts_equal_single_games() {
    check::<MancalaFamily>(
        "uam",
        "kalah",
        &["regular", "random-evaluation", "greedy/kalah/5,4,3,2,1,0,1,2,3,4", "random"],
    );
    check::<MancalaFamily>("uam", "seeds", &["greedy/regular", "first"]);
    check::<KalahFamily>("6x4", "kalah", &["stores", "greedy/margin", "random", "adaptive:k=3,x=0.5/margin"]);
}

/// Members enough for blocks, against the same ones in the plain way.
struct Large;

impl GameVisitor for Large {
    type Out = ();

    fn visit<G: Playable>(self, game: G) {
        let rival = PlayerSpec::parse("rival-6", &game, &ConnectFamily::INFO).unwrap();
        let search = search("greedy");
        for (draw, n_members) in [(Draw::Whole, 5001), (Draw::Large, 2561), (Draw::Whole, 0)] {
            let weights = draw.rows(n_members, 6).concat();
            let mut cohort = cohort_of(&game, &search, "lines", &weights).unwrap();
            let plain = Gather { may_be_exact: false, ..Gather::new(&search, "lines", &weights) };
            let mut plain = game.evaluation("lines", plain).flatten().unwrap();
            for side in Side::BOTH {
                let endings = play_cohort(&game, cohort.as_mut(), side, &rival);
                assert_eq!(endings, play_cohort(&game, plain.as_mut(), side, &rival));
            }
        }
    }
}

#[test]
fn large_cohorts_equal_plain_ones() {
    ConnectFamily::open("5x5x4", Large).unwrap();
}

/// Nobody is named after the stop.
struct Stopped;

impl GameVisitor for Stopped {
    type Out = ();

    fn visit<G: Playable>(self, game: G) {
        let weights = Draw::Whole.rows(50, 6).concat();
        let mut cohort = cohort_of(&game, &search("greedy"), "lines", &weights).unwrap();
        let rival = PlayerSpec::parse("random", &game, &ConnectFamily::INFO).unwrap();
        let mut play = |limit: usize| {
            let (n_asked, mut n_named) = (Cell::new(0), 0);
            let stop = || n_asked.replace(n_asked.get() + 1) >= limit;
            let all = cohort.play(
                &game,
                &game.start(),
                Side::First,
                &rival,
                Seed(1),
                &stop,
                &mut |members, _, _| {
                    n_named += members.len();
                },
            );
            (all, n_named)
        };
        assert_eq!(play(0), (false, 0));
        let (all, some) = play(12);
        assert!(!all && some < 50);
        assert_eq!(play(usize::MAX), (true, 50));
    }
}

#[test]
fn a_walk_can_be_stopped() {
    ConnectFamily::open("7x6x4", Stopped).unwrap();
}

#[test]
fn who_can_meet_a_cohort() {
    let check = |text: &str, expected: bool| {
        struct Meets<'a>(&'a str);
        impl GameVisitor for Meets<'_> {
            type Out = bool;
            fn visit<G: Playable>(self, game: G) -> bool {
                can_meet_cohort(&PlayerSpec::parse(self.0, &game, &ConnectFamily::INFO).unwrap())
            }
        }
        assert_eq!(ConnectFamily::open("7x6x4", Meets(text)).unwrap(), expected, "{text}");
    };
    check("rival-1", true);
    check("random", true);
    check("alphabeta:depth=3/noise", true);
    check("beam:depth=2,width=2/noise", true);
    check("ab:depth=3/noise", false);
    check("mcts:playouts=10", false);
    check("perfect", false);
}
