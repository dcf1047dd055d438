//! An event as one JSON object.

use super::diagnosis::CycleAnalysis;
use super::end_reasons;
use super::text::rated;
use super::{
    Audience, EventReport, StageStandings, groups, likelihood_of_superiority, n_forfeits, score_of, sentences,
};
use palestra_tournament::{PlayerStanding, Standings, WinDrawLoss};
use serde_json::{Map, Value, json};

/// Most players of the matrix of likelihoods, whose size is quadratic; for more it is left out.
const MAX_MATRIX: usize = 100;

/// Most sentences about neighbors in the standings.
const MAX_SENTENCES: usize = 200;

/// The event as a JSON object; its keys are listed in docs/events.md. A missing bound is null.
#[must_use]
pub fn event_json(event: &EventReport<'_>) -> Value {
    let standings = event.standings();
    let run = event.run;
    let mut object = json!({
        "event": run.name,
        "what": event.what,
        "state": run.state.name(),
        "seed": run.seed,
        "created": run.created,
        "updated": run.updated,
        "seconds": run.seconds,
        "scoring": event.points.to_string(),
        "tie_breaks": event.tie_breaks.iter().map(|tie_break| tie_break.name()).collect::<Vec<_>>(),
        "standings": table(event, standings),
        "games": standings.duplicates.games,
        "repeated_games": standings.duplicates.games - standings.duplicates.effective_games,
        "effective_games": standings.duplicates.effective_games,
        "first_side": count(standings.first_side),
        "advantage": advantage(standings),
        "end_reasons": Map::from_iter(end_reasons(event).into_iter().map(|(reason, n)| (reason, json!(n)))),
        "byes": byes(event),
        "crosstable": crosstable(event, standings),
        "superiority": superiority(event, standings),
        "thresholds": event.thresholds().iter().map(|&reference| event.name(reference)).collect::<Vec<_>>(),
        "sentences": sentences(standings, MAX_SENTENCES).0,
        "notes": event.notes(),
        "warnings": event.warnings(),
        "left_out": event.noted.left_out,
        "groups": groups(event),
    });
    if event.audience == Audience::Staff {
        object["identical_play"] = json!(event.play.identical);
        object["same_files"] = json!(event.play.shared);
    }
    diagnose(event, standings, &mut object);
    if event.stages.len() > 1 {
        let stage = |stage: &StageStandings| json!({ "name": stage.name, "standings": table(event, &stage.standings) });
        object["stages"] = event.stages.iter().map(stage).collect();
    }
    object
}

fn table(event: &EventReport<'_>, standings: &Standings) -> Value {
    standings.rows.iter().map(|row| line(event, standings, row)).collect()
}

fn line(event: &EventReport<'_>, standings: &Standings, row: &PlayerStanding) -> Value {
    let entrant = &event.entrants[row.player];
    let WinDrawLoss { wins, draws, losses } = row.count();
    let rated = rated(standings, row.player);
    let [first, second] = row.by_side;
    let above = event.thresholds().into_iter().filter(|&reference| reference != row.player);
    let above = above.map(|reference| {
        (event.name(reference).to_owned(), json!(likelihood_of_superiority(standings, row.player, reference)))
    });
    let mark = standings.mark_of(row.player, event.marks);
    let grade = mark.as_ref().map(|mark| json!(mark.grade));
    let mark = mark.map(|mark| json!({ "grade": mark.grade, "above": event.marks[mark.mark].above, "likelihood": mark.likelihood, "sentence": mark.sentence }));
    json!({
        "player": entrant.name,
        "rank": row.rank,
        "points": row.points,
        "games": row.count().games(),
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "score": score_of(row),
        "forfeits": n_forfeits(row),
        "forfeit_kinds": row.forfeits,
        "rating": rated.map(|rated| rated.rating),
        "rating_low": rated.and_then(|rated| rated.low),
        "rating_high": rated.and_then(|rated| rated.high),
        "rating_error": rated.and_then(|rated| rated.error),
        "rating_group": rated.map(|rated| rated.group),
        "byes": row.byes,
        "buchholz": row.buchholz,
        "sonneborn_berger": row.sonneborn_berger,
        "first": count(first),
        "second": count(second),
        "endings": Map::from_iter(row.endings.iter().map(|(reason, ended)| (reason.clone(), count(*ended)))),
        "quarantined": row.quarantined_at.is_some(),
        "milliseconds": row.milliseconds,
        "late_moves": row.late.moves,
        "late_milliseconds": row.late.micros / 1000,
        "program": entrant.player,
        "staff": entrant.staff,
        "group": entrant.group,
        "identifier": entrant.identifier,
        "students": entrant.students,
        "above": Map::from_iter(above),
        "mark": mark,
        "grade": grade,
    })
}

fn count(count: WinDrawLoss) -> Value {
    json!({ "wins": count.wins, "draws": count.draws, "losses": count.losses })
}

fn advantage(standings: &Standings) -> Value {
    let advantage = standings.ratings.as_ref().and_then(palestra_stats::Ratings::advantage);
    advantage.map_or(Value::Null, |estimate| {
        let (elo, error) = (estimate.elo, estimate.error);
        json!({ "elo": elo, "error": error, "low": elo - error, "high": elo + error })
    })
}

fn byes(event: &EventReport<'_>) -> Value {
    let byes = event.results.byes();
    byes.map(
        |bye| json!({ "player": event.name(bye.player), "stage": bye.stage + 1, "round": bye.round + 1 }),
    )
    .collect()
}

/// Results of every pair that met, from the view of the player named first.
fn crosstable(event: &EventReport<'_>, standings: &Standings) -> Value {
    let line = |([player, opponent], result): ([usize; 2], &palestra_tournament::HeadToHead)| {
        let WinDrawLoss { wins, draws, losses } = result.count();
        let [first, second] = result.by_side;
        json!({
            "player": event.name(player),
            "opponent": event.name(opponent),
            "wins": wins,
            "draws": draws,
            "losses": losses,
            "points": result.points[0],
            "opponent_points": result.points[1],
            "first": count(first),
            "second": count(second),
            "pairs": result.pairs,
            "repeated_games": result.repeats,
            "los": likelihood_of_superiority(standings, player, opponent),
        })
    };
    standings.head_to_heads().map(line).collect()
}

/// Matrix of the likelihood of superiority, by joint ratings.
fn superiority(event: &EventReport<'_>, standings: &Standings) -> Value {
    let rows = standings.rows.iter().filter(|row| row.count().games() > 0);
    let players: Vec<usize> = rows.map(|row| row.player).collect();
    if standings.ratings.is_none() || players.len() > MAX_MATRIX {
        return Value::Null;
    }
    let names: Vec<&str> = players.iter().map(|&player| event.name(player)).collect();
    let line = |&row: &usize| players.iter().map(|&column| standings.superiority(row, column)).collect();
    json!({ "players": names, "los": players.iter().map(line).collect::<Vec<Vec<Option<f64>>>>() })
}

fn diagnose(event: &EventReport<'_>, standings: &Standings, object: &mut Value) {
    let Some(analysis) = CycleAnalysis::of(standings) else { return };
    let names = |cycle: &[usize; 3]| json!(cycle.map(|player| event.name(player)));
    object["cycles"] = analysis.cycles.iter().map(names).collect();
    if let Some(full_crosstable) = &analysis.full_crosstable {
        let by_name = |shares: &[f64]| {
            let named = analysis.players.iter().zip(shares);
            Value::Object(
                named.map(|(&player, &share)| (event.name(player).to_owned(), json!(share))).collect(),
            )
        };
        object["cyclic_share"] = json!(full_crosstable.cyclic_share);
        object["nash"] = by_name(&full_crosstable.nash);
        object["alpha_rank"] = by_name(&full_crosstable.alpha_rank);
    }
}
