//! Prints a plan as a complete plan file.

use super::players::{PlayerPlan, PlayerSource};
use super::stage::StagePlan;
use super::{ARCHIVE_MB, ProgramLimits, TournamentPlan};
use crate::starts::StageBoards;
use palestra_arena::LATE_PERCENT;
use std::fmt;

impl fmt::Display for TournamentPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "name = {}", quoted(&self.name))?;
        writeln!(f, "seed = {}", self.seed)?;
        if let Some(clock) = &self.clock {
            writeln!(f, "clock = {}", quoted(clock))?;
        }
        writeln!(f, "margin_ms = {}", self.margin_ms)?;
        // Left out where it is the default, so that the plans of older versions stay as they are.
        if self.late_percent != LATE_PERCENT {
            writeln!(f, "late_percent = {}", self.late_percent)?;
        }
        if self.archive_mb != ARCHIVE_MB {
            writeln!(f, "archive_mb = {}", self.archive_mb)?;
        }
        if let Some(concurrency) = self.concurrency {
            writeln!(f, "concurrency = {concurrency}")?;
        }
        writeln!(f, "pin = {}", self.pin)?;
        writeln!(f, "start = {}", quoted(&self.start))?;
        if let Some(python) = &self.kaggle_python {
            writeln!(f, "kaggle_python = {}", quoted(python))?;
        }
        writeln!(f, "strict = {}", self.strict)?;
        writeln!(f, "quarantine = {}", self.quarantine.unwrap_or(0))?;
        let ties: Vec<String> = self.tie_breaks.iter().map(|tie| quoted(tie.name())).collect();
        writeln!(f, "tie_breaks = [{}]", ties.join(", "))?;
        // Patterns and grids share one array, which stands here because TOML needs keys before sections.
        let mut players: Vec<String> = self.patterns.iter().map(quoted).collect();
        players.extend(self.grids.iter().map(|grid| {
            let group = grid.group.as_ref().map(|group| format!(", group = {}", quoted(group)));
            format!(
                "{{ template = {}, grid = [{:?}, {:?}], step = {:?}, prefix = {}{} }}",
                quoted(&grid.template),
                grid.grid[0],
                grid.grid[1],
                grid.step,
                quoted(&grid.prefix),
                group.unwrap_or_default()
            )
        }));
        if !players.is_empty() {
            writeln!(f, "players = [{}]", players.join(", "))?;
        }
        if let Some(roster) = &self.roster {
            writeln!(f, "roster = {}", quoted(roster))?;
        }
        match &self.stages[..] {
            [only] if only.name.is_empty() => write_stage(f, only)?,
            stages => {
                for stage in stages {
                    writeln!(f, "\n[[stage]]")?;
                    writeln!(f, "name = {}", quoted(&stage.name))?;
                    if !stage.from.is_empty() {
                        let from: Vec<String> =
                            stage.from.iter().map(|&from| quoted(&stages[from].name)).collect();
                        writeln!(f, "from = [{}]\nbest = {}", from.join(", "), stage.best)?;
                    }
                    if !stage.groups.is_empty() {
                        let groups: Vec<String> = stage.groups.iter().map(quoted).collect();
                        writeln!(f, "groups = [{}]", groups.join(", "))?;
                    }
                    write_stage(f, stage)?;
                }
            }
        }
        write_confinement(f, &self.program_limits)?;
        for mark in &self.marks {
            writeln!(f, "\n[[mark]]\nabove = {}", quoted(&mark.above))?;
            writeln!(f, "confidence = {:?}\ngrade = {:?}", mark.confidence, mark.grade)?;
        }
        self.players.iter().try_for_each(|player| write_player(f, player))
    }
}

fn write_stage(f: &mut fmt::Formatter<'_>, stage: &StagePlan) -> fmt::Result {
    match &stage.boards {
        StageBoards::Pool(pool) => writeln!(f, "pool = {}", quoted(pool))?,
        StageBoards::Listed(games) => match &games[..] {
            [game] => writeln!(f, "game = {}", quoted(game))?,
            games => {
                let games: Vec<String> = games.iter().map(quoted).collect();
                writeln!(f, "boards = [{}]", games.join(", "))?;
            }
        },
    }
    writeln!(f, "opening_plies = {}", stage.opening_plies)?;
    writeln!(f, "points = {}", quoted(&stage.points.to_string()))?;
    writeln!(f, "order = {}", quoted(&stage.order))?;
    writeln!(f, "format = {}", quoted(stage.format.name))?;
    write!(f, "{}", stage.values)
}

fn write_confinement(f: &mut fmt::Formatter<'_>, confinement: &ProgramLimits) -> fmt::Result {
    writeln!(f, "\n[confinement]\nmemory_mb = {}", confinement.memory_mb)?;
    writeln!(f, "processes = {}", confinement.processes)?;
    writeln!(f, "cpu_seconds = {}", confinement.cpu_seconds.unwrap_or(0))?;
    writeln!(f, "file_mb = {}", confinement.file_mb)?;
    writeln!(f, "open_files = {}", confinement.open_files)?;
    if !confinement.read.is_empty() {
        let read: Vec<String> = confinement.read.iter().map(quoted).collect();
        writeln!(f, "read = [{}]", read.join(", "))?;
    }
    writeln!(f, "unconfined = {}", confinement.unconfined)?;
    // Left out where it is not set, so that the plans of older versions stay as they are.
    match confinement.confine_as_possible {
        true => writeln!(f, "confine_as_possible = true"),
        false => Ok(()),
    }
}

fn write_player(f: &mut fmt::Formatter<'_>, player: &PlayerPlan) -> fmt::Result {
    writeln!(f, "\n[[player]]\nname = {}", quoted(&player.name))?;
    match &player.source {
        PlayerSource::Text(text) => writeln!(f, "player = {}", quoted(text))?,
        PlayerSource::Command(words) => {
            let words: Vec<String> = words.iter().map(quoted).collect();
            writeln!(f, "command = [{}]", words.join(", "))?;
        }
    }
    let texts = [
        ("protocol", player.protocol.as_ref().map(quoted)),
        ("folder", player.folder.as_ref().map(quoted)),
        ("start", player.start.as_ref().map(quoted)),
        ("group", player.group.as_ref().map(quoted)),
        ("identifier", player.identifier.as_ref().map(quoted)),
        ("students", Some(&player.students).filter(|students| !students.is_empty()).map(quoted)),
    ];
    for (key, text) in texts {
        if let Some(text) = text {
            writeln!(f, "{key} = {text}")?;
        }
    }
    if player.staff {
        writeln!(f, "staff = true")?;
    }
    for (key, rating) in [("anchor", player.anchor), ("rating", player.rating)] {
        if let Some(rating) = rating {
            writeln!(f, "{key} = {rating:?}")?;
        }
    }
    Ok(())
}

/// A text or a name as TOML.
fn quoted(text: &(impl serde::Serialize + ?Sized)) -> String {
    toml::Value::try_from(text).map(|text| text.to_string()).unwrap_or_default()
}
