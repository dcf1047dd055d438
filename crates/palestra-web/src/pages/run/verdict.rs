//! What may be said about the champion: what the sequential test said, and never more.

use crate::translation;
use crate::viewer::Language;
use palestra_review::grouped;
use palestra_review::tuning::{RunReport, TuningOutcome};
use palestra_store::RunState;
use palestra_tune::progress::Verification;

/// Sentences about the champion.
pub(super) struct ChampionVerdict {
    /// `holds`, `fails`, or `open`.
    pub(super) class: &'static str,
    pub(super) sentences: Vec<String>,
}

impl ChampionVerdict {
    pub(super) fn of(story: &RunReport, language: Language) -> ChampionVerdict {
        match &story.outcome {
            None => ChampionVerdict {
                class: "open",
                sentences: vec![none_yet(story.run.state, language).to_owned()],
            },
            Some(TuningOutcome { verification: None, .. }) => {
                let sentence = language.pick(
                    "The champion was not tested, so nothing is said about its strength outside of training.",
                    "El campeón no se probó, así que nada se dice de su fuerza fuera del entrenamiento.",
                );
                ChampionVerdict { class: "open", sentences: vec![sentence.to_owned()] }
            }
            Some(TuningOutcome { verification: Some(verification), .. }) => tested(verification, language),
        }
    }
}

fn none_yet(state: RunState, language: Language) -> &'static str {
    match state {
        RunState::Running => language.pick(
            "This run goes on still: there is no champion yet, and nothing was tested.",
            "Esta ejecución sigue en marcha: aún no hay campeón, y nada se ha probado.",
        ),
        RunState::Interrupted => language.pick(
            "This run was interrupted: there is no champion yet, and nothing was tested.",
            "Esta ejecución se interrumpió: aún no hay campeón, y nada se ha probado.",
        ),
        RunState::Failed => language.pick(
            "This run ended by an error: there is no champion, and nothing was tested.",
            "Esta ejecución acabó con un error: no hay campeón, y nada se ha probado.",
        ),
        RunState::Done => language.pick(
            "This run is done, but this version of the program cannot read its outcome.",
            "Esta ejecución terminó, pero esta versión del programa no puede leer su resultado.",
        ),
    }
}

fn tested(verification: &Verification, language: Language) -> ChampionVerdict {
    let baseline = translation::translate(language, &verification.baseline);
    let (class, first, test) = match verification.better {
        Some(true) => (
            "holds",
            language.pick(
                format!("The champion is better than {baseline}."),
                format!("El campeón es mejor que {baseline}."),
            ),
            language.pick("better", "mejor"),
        ),
        Some(false) => (
            "fails",
            language.pick(
                format!("The champion is not better than {baseline}."),
                format!("El campeón no es mejor que {baseline}."),
            ),
            language.pick("not better", "no es mejor"),
        ),
        None => (
            "open",
            language.pick(
                format!("It is not decided whether the champion is better than {baseline}: the difference is not significant."),
                format!("No está decidido si el campeón es mejor que {baseline}: la diferencia no es significativa."),
            ),
            language.pick("not decided, so it is not called better", "sin decidir, así que no se le llama mejor"),
        ),
    };
    let test = language.pick(
        format!("Sequential test on openings never used in training: {test} (0 against 20 normalized Elo, 5 %)."),
        format!("Prueba secuencial con aperturas nunca usadas al entrenar: {test} (0 frente a 20 Elo normalizado, 5 %)."),
    );
    ChampionVerdict { class, sentences: vec![first, test, measured(verification, baseline, language)] }
}

/// The games behind the verdict, with their intervals; the conclusion is the test's.
fn measured(verification: &Verification, baseline: &str, language: Language) -> String {
    let duel = &verification.duel;
    let [low, score, high] = duel.score().map(|share| 100.0 * share);
    let unbounded = language.pick("unbounded", "sin límite");
    let elo = |elo: Option<f64>| elo.map_or_else(|| unbounded.to_owned(), |elo| format!("{elo:+.0}"));
    let verdict = duel.verdict();
    let [wins, draws, losses, n] = [duel.wins, duel.draws, duel.losses, duel.n_games()].map(grouped);
    let [middle, from, to] = [verdict.elo, verdict.elo_low, verdict.elo_high].map(elo);
    language.pick(
        format!(
            "{wins} won, {draws} drawn, {losses} lost of {n} games against {baseline}: {score:.1} % of the points \
             [{low:.1}, {high:.1}], a difference of {middle} Elo [{from}, {to}]; the brackets are 95 % intervals over \
             pairs of games."
        ),
        format!(
            "{wins} ganadas, {draws} empatadas y {losses} perdidas de {n} partidas contra {baseline}: {score:.1} % de \
             los puntos [{low:.1}, {high:.1}], una diferencia de {middle} Elo [{from}, {to}]; los corchetes son \
             intervalos del 95 % sobre parejas de partidas."
        ),
    )
}
