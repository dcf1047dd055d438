//! The commands of a study in order.

use crate::path::{CommandOutputs, PathLookup};
use crate::study::{CommandTemplate, Study, StudyPart, StudyScale};
use crate::template::{fill, is_path};
use palestra_core::InputError;

/// Largest number of commands of one run of a study.
const MAX_JOBS: usize = 10_000;

/// Commands that wait for others, or run studies themselves.
const NOT_RUN: [&str; 4] = ["engine", "new-game", "serve", "study"];

/// A command to run.
#[derive(Clone, PartialEq, Debug)]
pub struct StudyJob {
    /// Its id, unique in the study.
    pub id: String,
    /// Index of the part of the study that it belongs to.
    pub part: usize,
    /// The command line after the program's name. Paths into outputs of earlier commands are not filled in yet.
    pub command: String,
}

impl Study {
    /// The commands to run, in order.
    pub fn jobs(&self, size: StudyScale) -> Result<Vec<StudyJob>, InputError> {
        self.jobs_where(size, |run| run.only.is_none_or(|only| only == size))
    }

    /// The ids of the commands of all scales.
    pub(crate) fn all_ids(&self) -> Vec<String> {
        // Ids do not depend on the scale, and errors were reported when the study was read.
        self.jobs_where(StudyScale::Full, |_| true)
            .unwrap_or_default()
            .into_iter()
            .map(|job| job.id)
            .collect()
    }

    fn jobs_where(
        &self,
        size: StudyScale,
        is_included: impl Fn(&CommandTemplate) -> bool,
    ) -> Result<Vec<StudyJob>, InputError> {
        let mut jobs = Vec::new();
        for (i, part) in self.parts.iter().enumerate() {
            for run in part.runs.iter().filter(|run| is_included(run)) {
                self.add_jobs(i, part, run, size, &mut jobs)?;
            }
        }
        Ok(jobs)
    }

    fn add_jobs(
        &self,
        part: usize,
        about: &StudyPart,
        run: &CommandTemplate,
        size: StudyScale,
        jobs: &mut Vec<StudyJob>,
    ) -> Result<(), InputError> {
        let in_part = |key: &str| format!("{key} of the run {} of the part {}", run.id, about.id);
        let n_jobs = run.each.iter().try_fold(1usize, |n, (_, values)| n.checked_mul(values.len()));
        let Some(n_jobs) = n_jobs.filter(|n_jobs| *n_jobs <= MAX_JOBS) else {
            let found = n_jobs.map_or("too many combinations".to_owned(), |n| format!("{n} combinations"));
            let expected = format!("at most {MAX_JOBS} combinations of values");
            return Err(InputError::new(in_part("each"), found, expected));
        };
        let word = run.command.split_whitespace().next().unwrap_or_default();
        if word.is_empty() || NOT_RUN.contains(&word) {
            let expected =
                "a command that ends by itself and prints its result, such as match, tune or solve";
            return Err(InputError::new(in_part("command"), &run.command, expected));
        }
        for i in 0..n_jobs {
            let mut left = i;
            let mut variables = Vec::new();
            for (name, values) in run.each.iter().rev() {
                variables.push((name, &values[left % values.len()]));
                left /= values.len();
            }
            let value = |word: &str| {
                let each = variables.iter().find(|(name, _)| *name == word);
                let each = each.map(|(_, value)| (*value).clone());
                Ok(each.or_else(|| self.size_word(word, size)))
            };
            let in_run = |error: InputError| error.map_key(in_part);
            let command = fill(&run.command, value, is_path).map_err(in_run)?;
            let id = if run.each.is_empty() { run.id.clone() } else { format!("{}-{}", run.id, i + 1) };
            jobs.push(StudyJob { id, part, command });
        }
        Ok(())
    }

    /// The value of a variable of `[sizes]` at a scale.
    pub(crate) fn size_word(&self, word: &str, size: StudyScale) -> Option<String> {
        let (_, variable) = self.sizes.iter().find(|(name, _)| name == word)?;
        Some(match size {
            StudyScale::Quick => variable.quick.clone(),
            StudyScale::Full => variable.full.clone(),
        })
    }
}

impl StudyJob {
    /// The words of the command line, with values from the outputs of earlier commands filled in.
    pub(crate) fn words(
        &self,
        outputs: &CommandOutputs,
        known: &[String],
    ) -> Result<Vec<String>, InputError> {
        let in_run = |error: InputError| error.map_key(|key| format!("{key} of the run {}", self.id));
        let value = |word: &str| match outputs.resolve(word, known)? {
            PathLookup::Found(value) => Ok(Some(value.word())),
            PathLookup::NotRun => {
                Err(InputError::new("path", word, "a path into the output of an earlier command"))
            }
        };
        let filled = fill(&self.command, value, |_| false).map_err(in_run)?;
        shlex::split(&filled).ok_or_else(|| {
            let key = format!("command of the run {}", self.id);
            InputError::new(key, filled, "a command line with closed quotation marks")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::StudyFiles;
    use serde_json::json;

    fn study(run: &str) -> Study {
        let text = format!(
            "title = \"T\"\nsubject = \"s\"\n[sizes]\ngames = {{ quick = 2, full = 10 }}\n[[part]]\nid = \"p\"\ntitle = \"P\"\n[[part.run]]\n{run}\n"
        );
        Study::read(&StudyFiles::of_files([("study.toml", text.as_str())]), "t").unwrap()
    }

    fn commands(study: &Study, size: StudyScale) -> Vec<String> {
        study.jobs(size).unwrap().into_iter().map(|job| format!("{}: {}", job.id, job.command)).collect()
    }

    #[test]
    fn variables_are_filled_in() {
        let study = study(
            "id = \"m\"\ncommand = \"match {board} a {p} --games {games}\"\neach = { board = [\"x\", \"y\"], p = [1, 2] }",
        );
        assert_eq!(
            commands(&study, StudyScale::Quick),
            [
                "m-1: match x a 1 --games 2",
                "m-2: match x a 2 --games 2",
                "m-3: match y a 1 --games 2",
                "m-4: match y a 2 --games 2"
            ]
        );
        assert_eq!(commands(&study, StudyScale::Full)[3], "m-4: match y a 2 --games 10");
    }

    #[test]
    fn runs_of_one_scale() {
        let study = study("id = \"m\"\ncommand = \"match\"\nonly = \"full\"");
        assert!(commands(&study, StudyScale::Quick).is_empty());
        assert_eq!(commands(&study, StudyScale::Full), ["m: match"]);
        assert_eq!(study.all_ids(), ["m"]);
    }

    #[test]
    fn outputs_are_filled_in() {
        let study = study("id = \"m\"\ncommand = \"show 'a b' greedy/lines/{t:/weights}\"");
        let mut outputs = CommandOutputs::default();
        outputs.all.insert("t".to_owned(), json!({"weights": [1.5, -2, 1e-7]}));
        let job = &study.jobs(StudyScale::Quick).unwrap()[0];
        let known = ["t".to_owned(), "m".to_owned()];
        assert_eq!(job.words(&outputs, &known).unwrap(), ["show", "a b", "greedy/lines/1.5,-2,1e-7"]);
        let error = job.words(&CommandOutputs::default(), &known).unwrap_err().to_string();
        assert_eq!(
            error,
            "invalid value \"t:/weights\" for path of the run m: expected a path into the output of an earlier command"
        );
    }
}
