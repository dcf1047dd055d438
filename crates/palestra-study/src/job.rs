//! The commands of a study, one after the other.

use crate::path::{CommandOutputs, PathLookup};
use crate::study::{CommandTemplate, Study, StudyPart, StudyScale};
use crate::template::{fill, is_path};
use palestra_core::InputError;

/// A command to run, with a name that nothing else in the study has.
#[derive(Clone, PartialEq, Debug)]
pub struct StudyJob {
    /// Its name.
    pub id: String,
    /// The part of the study that it belongs to.
    pub part: usize,
    /// What would be typed after the program's name; paths into what earlier ones print are still to be filled in.
    pub command: String,
}

impl Study {
    /// What is to be run, in this order.
    pub fn jobs(&self, size: StudyScale) -> Result<Vec<StudyJob>, InputError> {
        self.jobs_where(size, |run| run.only.is_none_or(|only| only == size))
    }

    /// The names of all that is ever run.
    pub(crate) fn all_ids(&self) -> Vec<String> {
        // Names do not depend on the size, and commands were filled once when the study was read.
        self.jobs_where(StudyScale::Full, |_| true)
            .unwrap_or_default()
            .into_iter()
            .map(|job| job.id)
            .collect()
    }

    fn jobs_where(
        &self,
        size: StudyScale,
        is_wanted: impl Fn(&CommandTemplate) -> bool,
    ) -> Result<Vec<StudyJob>, InputError> {
        let mut jobs = Vec::new();
        for (i, part) in self.parts.iter().enumerate() {
            for run in part.runs.iter().filter(|run| is_wanted(run)) {
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
        let n_jobs: usize = run.each.iter().map(|(_, words)| words.len()).product();
        for i in 0..n_jobs {
            let mut left = i;
            let mut words = Vec::new();
            for (name, meanings) in run.each.iter().rev() {
                words.push((name, &meanings[left % meanings.len()]));
                left /= meanings.len();
            }
            let meaning = |word: &str| {
                let each =
                    words.iter().find(|(name, _)| *name == word).map(|(_, meaning)| (*meaning).clone());
                Ok(each.or_else(|| self.size_word(word, size)))
            };
            let named = |error: InputError| InputError {
                place: format!("{}, run {}: {}", about.id, run.id, error.place),
                ..error
            };
            let command = fill(&run.command, meaning, is_path).map_err(named)?;
            let id = if run.each.is_empty() { run.id.clone() } else { format!("{}-{}", run.id, i + 1) };
            jobs.push(StudyJob { id, part, command });
        }
        Ok(())
    }

    /// What a word of `[sizes]` stands for.
    pub(crate) fn size_word(&self, word: &str, size: StudyScale) -> Option<String> {
        let found = self.sizes.iter().find(|known| known.name == word)?;
        Some(match size {
            StudyScale::Quick => found.quick.clone(),
            StudyScale::Full => found.full.clone(),
        })
    }
}

impl StudyJob {
    /// The words of the command, with all that earlier ones printed filled in.
    pub(crate) fn words(&self, prints: &CommandOutputs, known: &[String]) -> Result<Vec<String>, InputError> {
        let place =
            |error: InputError| InputError { place: format!("run {}: {}", self.id, error.place), ..error };
        let meaning = |word: &str| match prints.resolve(word, known)? {
            PathLookup::Found(printed) => Ok(Some(printed.word())),
            PathLookup::NotRun => Err(InputError::new("path", word, "into something that was run before")),
        };
        let filled = fill(&self.command, meaning, |_| false).map_err(place)?;
        shlex::split(&filled).ok_or_else(|| {
            InputError::new(format!("run {}", self.id), filled, "words: a quotation mark is missing")
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
    fn sizes_and_words() {
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
    fn runs_of_one_size() {
        let study = study("id = \"m\"\ncommand = \"match\"\nonly = \"full\"");
        assert!(commands(&study, StudyScale::Quick).is_empty());
        assert_eq!(commands(&study, StudyScale::Full), ["m: match"]);
        assert_eq!(study.all_ids(), ["m"]);
    }

    #[test]
    fn what_was_printed_goes_on() {
        let study = study("id = \"m\"\ncommand = \"show 'a b' greedy/lines/{t:/weights}\"");
        let mut prints = CommandOutputs::default();
        prints.all.insert("t".to_owned(), json!({"weights": [1.5, -2, 1e-7]}));
        let job = &study.jobs(StudyScale::Quick).unwrap()[0];
        let known = ["t".to_owned(), "m".to_owned()];
        assert_eq!(job.words(&prints, &known).unwrap(), ["show", "a b", "greedy/lines/1.5,-2,1e-7"]);
        let error = job.words(&CommandOutputs::default(), &known).unwrap_err().to_string();
        assert_eq!(error, "run m: path: \"t:/weights\" is not into something that was run before");
    }
}
