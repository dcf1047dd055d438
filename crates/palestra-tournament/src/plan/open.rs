//! Makes the format that runs a plan.

use super::TournamentPlan;
use super::stage::{SeedingOrder, StagePlan};
use crate::entrant::Entrant;
use crate::formats::{FormatSetup, StageSetup, Stages};
use crate::starts::StartSchedule;
use palestra_arena::Catalog;
use palestra_core::{InputError, Seed};

impl TournamentPlan {
    /// The format of the whole event, for a [`TournamentDriver`](crate::TournamentDriver). Without a catalog, openings
    /// are not compared and pools cannot be used.
    pub fn open(
        &self,
        entrants: &[Entrant],
        catalog: Option<&'static Catalog>,
    ) -> Result<Stages, InputError> {
        let stages =
            (0..).zip(&self.stages).map(|(number, stage)| self.open_stage(number, stage, entrants, catalog));
        Ok(Stages::new(stages.collect::<Result<_, _>>()?, self.tie_breaks.clone()))
    }

    fn open_stage(
        &self,
        number: u32,
        stage: &StagePlan,
        entrants: &[Entrant],
        catalog: Option<&'static Catalog>,
    ) -> Result<StageSetup, InputError> {
        let seed = Seed(self.seed).child(u64::from(number));
        let (boards, plies, per_round) = (stage.boards.clone(), stage.opening_plies, stage.values.pairs());
        let starts = match catalog {
            Some(catalog) => StartSchedule::new(catalog, boards, plies, per_round, seed.child(0))?,
            None => StartSchedule::plain(boards, plies, per_round, seed.child(0)),
        };
        let all = 0..entrants.len();
        let ladder =
            if stage.format.has_ladder { all.filter(|&i| entrants[i].staff).collect() } else { Vec::new() };
        Ok(StageSetup {
            name: stage.name.clone(),
            format: stage.format,
            from: stage.from.clone(),
            best: stage.best,
            setup: FormatSetup {
                field: field(stage, entrants, seed.child(1)),
                ladder,
                starts,
                points: stage.points,
                values: stage.values.clone(),
                stage: number,
                seed: seed.child(2),
            },
        })
    }
}

/// The own entrants of a stage, the best seed first.
fn field(stage: &StagePlan, entrants: &[Entrant], seed: Seed) -> Vec<usize> {
    let belongs = |i: &usize| match stage.groups.is_empty() {
        true => stage.from.is_empty(),
        false => entrants[*i].group.as_ref().is_some_and(|group| stage.groups.contains(group)),
    };
    let mut field: Vec<usize> = (0..entrants.len()).filter(belongs).collect();
    match stage.order {
        SeedingOrder::Listed => {}
        SeedingOrder::Random => field.sort_by_key(|&i| seed.child(i as u64).0),
        SeedingOrder::Rating => {
            let rating = |i: usize| entrants[i].rating.or(entrants[i].anchor).unwrap_or(f64::NEG_INFINITY);
            field.sort_by(|&a, &b| rating(b).total_cmp(&rating(a)));
        }
    }
    field
}
