//! Events in a store, without games being played.

use super::*;
use palestra_registry::GAMES;
use palestra_settings::Document;
use palestra_store::Store;
use palestra_tournament::TournamentPlan;

const PLAN: &str = "game = \"connect:4x4x3\"\nname = \"cup\"\nformat = \"round-robin\"\nseed = 3\n\
    [[player]]\nname = \"a\"\nplayer = \"first\"\n[[player]]\nname = \"b \\\"x\\\" = [keys]\"\nplayer = \"cmd:./nowhere\"\n";

fn plan() -> TournamentPlan {
    TournamentPlan::read(Document::parse(PLAN, "a test").unwrap(), &GAMES).unwrap()
}

fn field(plan: &TournamentPlan, key: [u8; 32]) -> EventEntrants {
    let boards = open_boards(plan, &GAMES).unwrap();
    let keys: ProgramKeys = vec![(plan.players[1].name.clone(), key)];
    EventEntrants::of(plan, board_of(&boards).unwrap(), Some(&keys)).unwrap()
}

/// A server can keep a review in a cache shared by threads.
#[test]
fn reviews_can_be_shared() {
    fn check<T: Send + Sync + 'static>() {}
    check::<EventReview>();
    check::<crate::tuning::RunReport>();
    check::<crate::ReviewError>();
}

#[test]
#[allow(clippy::disallowed_methods, reason = "a store is a file")]
fn stored_events_are_read_back() {
    let plan = plan();
    let key = std::array::from_fn(|i| 3 * i as u8 + 1);
    let left_out = [
        LeftOutPlayer {
            player: "e \"[[keys]]\"\n".to_owned(),
            reason: "no submission".to_owned(),
            students: vec![
                Student { name: "Eva".to_owned(), identifier: Some("007".to_owned()) },
                Student { name: "Leo".to_owned(), identifier: None },
            ],
            ..LeftOutPlayer::default()
        },
        LeftOutPlayer {
            player: "z".to_owned(),
            group: Some("B".to_owned()),
            identifier: Some("9".to_owned()),
            ..LeftOutPlayer::default()
        },
    ];
    let new = new_event(&plan, &field(&plan, key), &left_out);
    let file = std::env::temp_dir().join(format!("palestra-review-{}.db", std::process::id()));
    let mut store = Store::open(&file).unwrap();
    let (run, _) = store.find_or_begin_event(&new).unwrap();
    let stored = read_stored(&run, &GAMES).unwrap();
    assert_eq!(stored.plan.to_string(), plan.to_string());
    assert_eq!(stored.left_out, left_out);
    assert_eq!(stored.keys, [(plan.players[1].name.clone(), key)]);

    let review = EventReview::open(&store, run.clone(), &GAMES).unwrap();
    assert_eq!(new_event(&review.plan, &review.field, &review.noted.left_out).plan, run.plan);
    assert_eq!(review.noted.left_out, left_out);
    let event = review.report().unwrap();
    assert_eq!((event.standings().rows.len(), event.results.pair_results().len()), (2, 0));
    assert_eq!((review.n_forfeits(), review.games(&store).unwrap().len()), (0, 0));

    let run = Run { plan: run.plan.replace("connect:4x4x3", "conect:4x4x3"), ..run };
    let error = EventReview::with_games(run, &[], &GAMES).unwrap_err();
    assert!(error.is_bad_input() && error.to_string().contains("conect"), "{error}");
    drop(store);
    std::fs::remove_file(file).unwrap();
}

/// Games of versions without late moves are found by their keys.
#[test]
fn the_default_share_of_late_moves_is_not_part_of_a_key() {
    let plan = plan();
    let clock = |late_percent| {
        let plan = TournamentPlan { late_percent, ..plan.clone() };
        terms_of(&field(&plan, [0; 32]), &control_of(&plan).unwrap()).clock
    };
    assert_eq!(clock(palestra_arena::LATE_PERCENT), "1/move +200ms");
    assert_eq!(clock(100), "1/move +200ms late 100");
}
