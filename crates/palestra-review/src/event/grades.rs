//! Grades for the gradebooks of learning platforms, one line for each student.

use super::gradebook::{all_rows, csv_with_mark, safe};
use super::text::{percent, plain, points};
use super::{EventReport, failures, n_forfeits, score_of};
use palestra_core::InputError;
use palestra_tournament::{PlayerStanding, Student, WinDrawLoss};

/// A learning platform whose gradebook reads a CSV file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LearningPlatform {
    /// Moodle: the import of grades, or the worksheet of an assignment.
    Moodle,
    /// Canvas: the import of the gradebook.
    Canvas,
}

/// The grade of a student.
#[derive(Clone, PartialEq, Debug)]
pub struct StudentGrade {
    /// The student's name; that of the player where it is the work of one student.
    pub name: String,
    /// What the gradebook knows the student by.
    pub identifier: Option<String>,
    /// The group.
    pub group: Option<String>,
    /// The grade of the plan's marks, 0 where no threshold was passed; without marks, the score in percent.
    pub grade: f64,
    /// Why: rank, points, likelihood of being better than each threshold, failures.
    pub feedback: String,
}

/// The grades of all students, in the order of the standings; then those of players that a later stage did not have,
/// and of players that were left out.
#[must_use]
pub fn grades(event: &EventReport<'_>) -> Vec<StudentGrade> {
    let order = all_rows(event).into_iter().map(|row| row.player);
    let mut grades = Vec::new();
    for player in order.filter(|&player| !event.entrants[player].staff) {
        let entrant = &event.entrants[player];
        let (_, row) = event.last_standing(player);
        let grade = grade(event, &row);
        let students = students(&entrant.name, entrant.identifier.as_ref(), &entrant.students);
        push(&mut grades, students, entrant.group.as_ref(), grade, &feedback(event, player));
    }
    for left_out in &event.noted.left_out {
        let students = students(&left_out.player, left_out.identifier.as_ref(), &left_out.students);
        let feedback = format!("left out: {}", left_out.reason);
        push(&mut grades, students, left_out.group.as_ref(), 0.0, &feedback);
    }
    grades
}

fn push(
    grades: &mut Vec<StudentGrade>,
    students: Vec<Student>,
    group: Option<&String>,
    grade: f64,
    feedback: &str,
) {
    let group = group.cloned();
    grades.extend(students.into_iter().map(|Student { name, identifier }| StudentGrade {
        name,
        identifier,
        group: group.clone(),
        grade,
        feedback: plain(&feedback.replace('\n', "; ")),
    }));
}

/// The students of a team, or the player itself.
fn students(player: &str, identifier: Option<&String>, team: &[Student]) -> Vec<Student> {
    match team {
        [] => vec![Student { name: player.to_owned(), identifier: identifier.cloned() }],
        team => team.to_vec(),
    }
}

/// A disqualified player has 0.
pub(super) fn grade(event: &EventReport<'_>, row: &PlayerStanding) -> f64 {
    if row.quarantined_at.is_some() {
        return 0.0;
    }
    match event.marks.is_empty() {
        true => score_of(row).map_or(0.0, |score| 100.0 * score),
        false => event.standings().mark_of(row.player, event.marks).map_or(0.0, |mark| mark.grade),
    }
}

/// The result of a player in words.
fn feedback(event: &EventReport<'_>, player: usize) -> String {
    let (stage, row) = event.last_standing(player);
    let standings = event.standings();
    if row.quarantined_at.is_some() {
        return format!("disqualified: {}; none of its games count", failures(&row));
    }
    let mut sentences = Vec::new();
    if let Some(rank) = row.rank {
        let of_stage = if event.stages.len() > 1 { format!("{}: ", stage.name) } else { String::new() };
        sentences.push(format!("{of_stage}rank {rank} of {}", stage.standings.ranked().len()));
    }
    let count = row.count();
    if count.games() == 0 {
        sentences.push("no games".to_owned());
    } else {
        let (WinDrawLoss { wins, draws, losses }, n) = (count, count.games());
        let points = points(row.points);
        sentences.push(format!("{points} points in {n} games (won {wins}, drawn {draws}, lost {losses})"));
    }
    for threshold in event.thresholds().into_iter().filter(|&threshold| threshold != player) {
        if let Some(likelihood) = standings.superiority(player, threshold) {
            sentences.push(format!("better than {} with {}", event.name(threshold), percent(likelihood)));
        }
    }
    if !event.marks.is_empty() {
        let mark = standings.mark_of(player, event.marks);
        sentences.push(mark.map_or_else(
            || "no threshold passed".to_owned(),
            |mark| format!("grade {}: {}", super::text::points(mark.grade), mark.sentence),
        ));
    }
    if n_forfeits(&row) > 0 {
        sentences.push(format!("lost by failures: {}", failures(&row)));
    }
    sentences.join("; ")
}

/// The file of a platform. `assignment` is the title of the column with grades in Canvas.
///
/// Fails where no student has an identifier: the platform could not tell who they are. Students without one among
/// others have an empty cell; [`without_identifier`] names them.
pub fn platform_file(
    event: &EventReport<'_>,
    platform: LearningPlatform,
    assignment: &str,
) -> Result<Vec<u8>, InputError> {
    let grades = grades(event);
    let identifiers: Vec<&str> = grades.iter().filter_map(|grade| grade.identifier.as_deref()).collect();
    if identifiers.is_empty() {
        let option = match platform {
            LearningPlatform::Moodle => "--moodle",
            LearningPlatform::Canvas => "--canvas",
        };
        let reason = format!(
            "no player of {} has an identifier, by which a gradebook knows its students: play the event with a roster \
             (--roster FILE.csv)",
            event.run.name
        );
        return Err(InputError::not_allowed(option, reason));
    }
    Ok(match platform {
        LearningPlatform::Moodle => moodle(&grades, &identifiers),
        LearningPlatform::Canvas => canvas(&grades, assignment),
    })
}

/// The names of the students without an identifier.
#[must_use]
pub fn without_identifier(event: &EventReport<'_>) -> Vec<String> {
    let grades = grades(event).into_iter();
    grades.filter(|grade| grade.identifier.is_none()).map(|grade| grade.name).collect()
}

/// How an identifier of the worksheet of an assignment begins.
const PARTICIPANT: &str = "Participant ";

/// The column by which Moodle finds a student, by the form of all identifiers.
fn moodle_column(identifiers: &[&str]) -> &'static str {
    match () {
        () if identifiers.iter().all(|identifier| identifier.starts_with(PARTICIPANT)) => "Identifier",
        () if identifiers.iter().all(|identifier| identifier.contains('@')) => "Email address",
        () => "ID number",
    }
}

fn moodle(grades: &[StudentGrade], identifiers: &[&str]) -> Vec<u8> {
    let column = moodle_column(identifiers);
    // The worksheet of an assignment must have the time of the last change; where it is empty nothing is compared.
    let is_worksheet = column == "Identifier";
    let mut head = vec![column, "Full name", "Grade"];
    if is_worksheet {
        head.push("Last modified (grade)");
    }
    head.push("Feedback comments");
    let line = |grade: &StudentGrade| {
        let identifier = grade.identifier.clone().unwrap_or_default();
        let mut cells = vec![identifier, safe(&grade.name), points(grade.grade)];
        if is_worksheet {
            cells.push(String::new());
        }
        cells.push(safe(&grade.feedback));
        cells
    };
    csv_with_mark(&head, grades.iter().map(line))
}

/// Canvas takes the first columns as they are and any other one for an assignment, so the feedback has none.
fn canvas(grades: &[StudentGrade], assignment: &str) -> Vec<u8> {
    let assignment = safe(assignment);
    let head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", &assignment];
    let line = |grade: &StudentGrade| {
        let identifier = grade.identifier.clone().unwrap_or_default();
        vec![
            safe(&grade.name),
            // The number of Canvas itself, which no roster has.
            String::new(),
            // Canvas looks for the student by the one and then by the other.
            identifier.clone(),
            identifier,
            safe(grade.group.as_deref().unwrap_or_default()),
            points(grade.grade),
        ]
    };
    csv_with_mark(&head, grades.iter().map(line))
}
