//! Resolves the names of a plan.

use super::keys::PlanKeys;
use super::players::{GridPlan, PlayerPlan};
use super::resolver::TournamentResolver;
use super::stage::StagePlan;
use super::{OLD_KEYS, TournamentPlan};
use crate::standings::MarkThreshold;
use crate::starts::StageBoards;
use palestra_core::{InputError, nearest_name};
use palestra_settings::{Document, Place, Placed, SourceLocation, old_spelling};
use std::collections::{BTreeMap, BTreeSet};

impl TournamentPlan {
    /// The file as version 0.0 wrote it: a stored event of it is the same event.
    #[must_use]
    pub fn old_spelling(&self) -> String {
        old_spelling(&self.to_string(), &OLD_KEYS).replace("\"pvs:", "\"ab:").replace("\"pvs/", "\"ab/")
    }

    /// Reads a plan and resolves the games and players that it names.
    pub fn read(file: Document, resolver: &dyn TournamentResolver) -> Result<TournamentPlan, InputError> {
        PlanKeys::read(file)?.resolve(resolver)
    }
}

impl PlanKeys {
    /// The plan with the games and players that it names.
    pub fn resolve(self, resolver: &dyn TournamentResolver) -> Result<TournamentPlan, InputError> {
        let mut stages: Vec<StagePlan> = Vec::new();
        for section in &self.stages {
            let stage = StagePlan::of(section, &self.common, &stages, resolver)?;
            stages.push(stage);
        }
        let boards = all_boards(&stages, resolver)?;
        let places: Vec<Place> = self.players.iter().map(|section| section.place().clone()).collect();
        let players = self.players.iter().map(|section| PlayerPlan::read(section.clone(), resolver, &boards));
        let players: Vec<PlayerPlan> = players.collect::<Result<_, _>>()?;
        let grids = self.grids.iter().map(|keys| GridPlan::of(keys, resolver, &boards));
        let grids: Vec<GridPlan> = grids.collect::<Result<_, _>>()?;
        self.check_names(&players, &places, &grids)?;
        self.check_groups(&stages, &players, &grids)?;
        let n_players = players.len() + grids.iter().map(GridPlan::len).sum::<usize>();
        if self.plan.patterns.is_empty() && n_players < 2 {
            let expected = "at least two players ([[player]], or players = \"folder/*\")";
            return Err(self.place.missing("player", expected));
        }
        for (stage, section) in stages.iter().zip(&self.stages) {
            if stage.format.has_ladder && !players.iter().any(|player| player.staff) {
                let name = if stage.name.is_empty() { String::new() } else { format!(" \"{}\"", stage.name) };
                let format = stage.format.name;
                let expected =
                    format!("a player with staff = true for the others to meet in the {format}{name}");
                return Err(self.place.missing("player", expected));
            }
            let is_whole = stage.from.is_empty() && stage.groups.is_empty();
            (stage.format.check)(&stage.values, if is_whole { n_players } else { 0 }).map_err(
                |(key, expected)| match key {
                    "format" => section.format.place.invalid_value(stage.format.name, expected),
                    _ => section.place.missing(key, expected),
                },
            )?;
        }
        let marks = self.marks.iter().map(|mark| read_mark(mark, &players)).collect::<Result<_, _>>()?;
        Ok(TournamentPlan { stages, players, grids, marks, ..self.plan })
    }

    /// Fails if two players have the same name.
    fn check_names(
        &self,
        players: &[PlayerPlan],
        places: &[Place],
        grids: &[GridPlan],
    ) -> Result<(), InputError> {
        let mut names: BTreeMap<&str, Option<SourceLocation>> = BTreeMap::new();
        let place = |key: &str, location| Place {
            key: key.to_owned(),
            container: self.place.section_name(),
            location,
        };
        for (player, Place { location, .. }) in players.iter().zip(places) {
            if let Some(before) = names.insert(&player.name, *location) {
                let before = before.map(|before| format!("; the player at {before} has this one"));
                let expected = format!("a name that no other player has{}", before.unwrap_or_default());
                return Err(place("name of a [[player]]", *location).invalid_value(&player.name, expected));
            }
        }
        let mut of_grids = BTreeSet::new();
        for (grid, Placed { place: Place { location, .. }, .. }) in grids.iter().zip(&self.grids) {
            for (name, _) in grid.players() {
                if names.contains_key(name.as_str()) || !of_grids.insert(name.clone()) {
                    let expected = "a name that no other player has; set another prefix for the grid";
                    return Err(place("players", *location).invalid_value(&name, expected));
                }
            }
        }
        Ok(())
    }

    /// Fails if a group that a stage names has no player. Players of folders can bring groups of their own.
    fn check_groups(
        &self,
        stages: &[StagePlan],
        players: &[PlayerPlan],
        grids: &[GridPlan],
    ) -> Result<(), InputError> {
        let of_players = players.iter().filter_map(|player| player.group.as_deref());
        let known: BTreeSet<&str> =
            of_players.chain(grids.iter().filter_map(|grid| grid.group.as_deref())).collect();
        for (stage, section) in stages.iter().zip(&self.stages) {
            let unknown = stage.groups.iter().find(|group| !known.contains(group.as_str()));
            if let Some(group) = unknown.filter(|_| self.plan.patterns.is_empty()) {
                let nearest = nearest_name(group, known.iter().copied());
                let list: Vec<&str> = known.iter().copied().collect();
                let key = "groups of a [[stage]]".to_owned();
                let place =
                    Place { key, container: self.place.section_name(), location: section.place.location };
                let expected = format!("a group of players ({})", list.join(", "));
                return Err(place.invalid_value(group, expected).with_nearest(nearest));
            }
        }
        Ok(())
    }
}

/// All boards of all stages; for a pool, a sample of its boards.
fn all_boards(stages: &[StagePlan], resolver: &dyn TournamentResolver) -> Result<Vec<String>, InputError> {
    let mut boards: Vec<String> = Vec::new();
    for stage in stages {
        let more = match &stage.boards {
            StageBoards::Listed(games) => games.clone(),
            StageBoards::Pool(pool) => resolver.samples(pool)?,
        };
        for board in more {
            if !boards.contains(&board) {
                boards.push(board);
            }
        }
    }
    Ok(boards)
}

fn read_mark(section: &Document, players: &[PlayerPlan]) -> Result<MarkThreshold, InputError> {
    let grade = "the grade for being better than that player";
    let required = [("above", "the name of a reference player"), ("grade", grade)];
    if let Some((key, expected)) = required.into_iter().find(|(key, _)| !section.has(key)) {
        return Err(section.missing(key, expected));
    }
    let mark: MarkThreshold = section.read()?;
    if !players.iter().any(|player| player.name == mark.above) {
        let known: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
        let bad = section.invalid("above", format!("a listed player ({})", known.join(", ")));
        return Err(bad.with_nearest(nearest_name(&mark.above, known.iter().copied())));
    }
    Ok(mark)
}
