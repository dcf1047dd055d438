//! `palestra match`.

use super::args::{CommonArgs, MatchArgs, setup_option};
use super::long_sets;
use super::output::{Align, Output, counted, grouped, quoted, table, thread_pool};
use super::programs::{OpenedPlayers, StartNeeds, plain};
use super::progress::with_bar;
use super::{CommandStatus, interrupt};
use crate::games;
use anyhow::Result;
use palestra_arena::{MatchPlan, MatchRecord, program_name};
use palestra_core::{Progress, Seed};
use std::collections::BTreeMap;

pub(super) fn run(args: &MatchArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let game = games().open(&args.start.game)?;
    let stop = interrupt::flag()?;
    let needs = StartNeeds {
        setup: args.start.setup.is_some(),
        moves: args.opening_plies > 0 || args.start.moves != "-",
    };
    let opened =
        OpenedPlayers::open(&[&args.a, &args.b], (game.as_ref(), needs), (&args.programs, common), &stop)?;
    if !args.no_preflight {
        opened.preflight(game.as_ref())?;
    }
    let [a, b] = &opened.players[..] else { unreachable!("two texts are two players") };
    let plan = MatchPlan {
        players: [a.clone(), b.clone()],
        n_games: args.games,
        opening_plies: args.opening_plies,
        seed: Seed(common.seed),
        setup: args.start.setup.clone(),
        moves: args.start.moves.clone(),
        skip_pairs: args.skip_pairs,
    };
    let progress = Progress::new(stop);
    progress.set_done(2 * args.skip_pairs.min(args.games / 2));
    let pool = thread_pool(args.concurrency.or(common.threads))?;
    let record =
        with_bar(&progress, args.games, "games", || pool.install(|| game.run_match(&plan, &progress)));
    let record = record.map_err(plain)?;
    if output.json {
        output.json(&record)?;
    } else {
        print(&record, args, output)?;
        print_programs(&record, output)?;
    }
    if record.complete {
        return Ok(CommandStatus::Completed);
    }
    output.flush()?;
    let (a, b) = (&record.player, &record.opponent);
    let setup = setup_option(args.start.setup.as_deref());
    let moves =
        if args.start.moves == "-" { String::new() } else { format!(" --moves '{}'", args.start.moves) };
    let concurrency = args.concurrency.map_or(String::new(), |n| format!(" --concurrency {n}"));
    let line = format!(
        "interrupted; to play the rest: {} match {} {} {} --games {} --opening-plies {} --seed {}{setup}{moves}{concurrency}{} --skip-pairs {}\n",
        program_name(),
        record.game,
        quoted(a),
        quoted(b),
        args.games,
        args.opening_plies,
        common.seed,
        args.programs.given(),
        record.pairs_done
    );
    std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes())?;
    Ok(CommandStatus::Interrupted)
}

/// Prints the failures of programs, and that the result depends on this machine.
fn print_programs(record: &MatchRecord, output: &mut Output) -> Result<()> {
    let Some(programs) = &record.programs else { return Ok(()) };
    let mut kinds: BTreeMap<(&str, &str), (u64, &str)> = BTreeMap::new();
    for forfeit in &programs.forfeits {
        kinds.entry((&forfeit.player, &forfeit.kind)).or_insert((0, &forfeit.detail)).0 += 1;
    }
    for ((player, kind), (n, detail)) in kinds {
        let games = counted(n, "game");
        output.line(format_args!("{player} lost {games} by a failure: {kind} (the first: {detail})"))?;
    }
    output
        .line("games of external engines depend on this machine: playing them again may give another result")
}

fn print(record: &MatchRecord, args: &MatchArgs, output: &mut Output) -> Result<()> {
    let openings = match args.opening_plies {
        0 => "from the same start".to_owned(),
        n => format!("from random openings of {n} plies"),
    };
    output.line(format_args!(
        "{}: {} games in pairs with sides swapped, {openings}, seed {}\n",
        record.game,
        grouped(record.n_games),
        record.seed
    ))?;
    let row = |name: &str, [wins, draws, losses]: [u64; 3]| {
        let n_games = wins + draws + losses;
        let score = (wins as f64 + draws as f64 / 2.0) / (n_games.max(1) as f64);
        let counts = [n_games, wins, draws, losses].map(grouped);
        let score = if n_games == 0 { "-".to_owned() } else { format!("{:.1} %", 100.0 * score) };
        std::iter::once(name.to_owned()).chain(counts).chain([score]).collect::<Vec<String>>()
    };
    let rows = [
        ["", "games", "won", "drawn", "lost", "score"].map(str::to_owned).to_vec(),
        row(&long_sets::player(&record.player), record.results),
        row("  as first", record.as_first),
        row("  as second", record.as_second),
    ];
    let mut align = [Align::Right; 6];
    align[0] = Align::Left;
    output.line(table(&rows, &align))?;
    let pairs = record.pairs.map(grouped).join(" ");
    output.line(format_args!("pairs by points, 0 ½ 1 1½ 2: {pairs}\n"))?;
    let shortened = |text: String, player: &str| text.replace(player, &long_sets::player(player));
    output.line(shortened(shortened(record.sentence.clone(), &record.player), &record.opponent))?;
    if !record.is_stochastic && record.n_distinct < record.n_games {
        output.line(format_args!(
            "only {}{} of {} games are distinct; a repeated pair is no new evidence and was counted once{}",
            if record.distinct_is_estimate { "about " } else { "" },
            grouped(record.n_distinct),
            grouped(record.n_games),
            if args.opening_plies == 0 { " (try --opening-plies 4)" } else { "" }
        ))?;
    }
    Ok(())
}
