//! The verdict on the champion: the result of the sequential test, and no other claim.

use crate::translation;
use crate::viewer::Language;
use palestra_review::grouped;
use palestra_review::tuning::{RunReport, TuningOutcome};
use palestra_stats::EloWords;
use palestra_store::RunState;
use palestra_tune::progress::{BaselineComparison, Verification};

/// Sentences about the champion.
pub(super) struct ChampionVerdict {
    /// CSS class: `holds`, `fails` or `open`.
    pub(super) class: &'static str,
    pub(super) sentences: Vec<String>,
}

impl ChampionVerdict {
    pub(super) fn of(report: &RunReport, language: Language) -> ChampionVerdict {
        match &report.outcome {
            None => ChampionVerdict {
                class: "open",
                sentences: vec![no_champion(report.run.state, language).to_owned()],
            },
            Some(TuningOutcome { verification: None, .. }) => {
                let sentence = language.pick(
                    "The champion was not tested, so its strength outside of training is unknown.",
                    "El campeón no se probó: se desconoce su fuerza fuera del entrenamiento.",
                );
                ChampionVerdict { class: "open", sentences: vec![sentence.to_owned()] }
            }
            Some(TuningOutcome { verification: Some(verification), .. }) => tested(verification, language),
        }
    }
}

fn no_champion(state: RunState, language: Language) -> &'static str {
    match state {
        RunState::Running => language.pick(
            "This run is still running: there is no champion yet, and nothing was tested.",
            "Esta ejecución sigue en marcha: aún no hay campeón ni se ha probado nada.",
        ),
        RunState::Interrupted => language.pick(
            "This run was interrupted: there is no champion yet, and nothing was tested.",
            "Esta ejecución se interrumpió: aún no hay campeón ni se ha probado nada.",
        ),
        RunState::Failed => language.pick(
            "This run ended with an error: there is no champion, and nothing was tested.",
            "Esta ejecución terminó con un error: no hay campeón ni se ha probado nada.",
        ),
        RunState::Done => language.pick(
            "This run is done, but this version of the program cannot read its outcome.",
            "Esta ejecución terminó, pero esta versión del programa no puede leer su resultado.",
        ),
    }
}

fn tested(verification: &Verification, language: Language) -> ChampionVerdict {
    let comparisons = verification.all_comparisons();
    let names = |better: Option<bool>| {
        let these = comparisons.iter().filter(|comparison| comparison.better == better);
        let names: Vec<&str> =
            these.map(|comparison| translation::translate(language, &comparison.baseline)).collect();
        names.join(language.pick(" and than ", " y que "))
    };
    let baselines = names(verification.better);
    let (class, first, test) = match verification.better {
        Some(true) => (
            "holds",
            language.pick(
                format!("The champion is better than {baselines}."),
                format!("El campeón es mejor que {baselines}."),
            ),
            language.pick("better", "mejor"),
        ),
        Some(false) => (
            "fails",
            language.pick(
                format!("The champion is not better than {baselines}."),
                format!("El campeón no es mejor que {baselines}."),
            ),
            language.pick("not better", "no es mejor"),
        ),
        None if comparisons.iter().all(|comparison| comparison.better == Some(true)) => {
            let baselines = names(Some(true));
            (
                "open",
                language.pick(
                    format!("The champion is better than {baselines}, but so is a champion of the same method with random fitness: it is not called better."),
                    format!("El campeón es mejor que {baselines}, pero también lo es un campeón del mismo método con una aptitud al azar: no se llama mejor."),
                ),
                language.pick("better, as the control is", "mejor, como el control"),
            )
        }
        None => (
            "open",
            language.pick(
                format!("It is not decided whether the champion is better than {baselines}: the difference is not significant."),
                format!("No está decidido si el campeón es mejor que {baselines}: la diferencia no es significativa."),
            ),
            language.pick("not decided", "sin decidir"),
        ),
    };
    let test = match comparisons.len() {
        1 => language.pick(
            format!("Sequential test on openings never used in training: {test} (0 against 20 normalized Elo, 5 %)."),
            format!("Prueba secuencial con aperturas no usadas al entrenar: {test} (0 frente a 20 Elo normalizado, 5 %)."),
        ),
        _ => language.pick(
            format!(
                "Sequential tests on openings never used in training, all of which must say better: {test} (0 against 20 \
                 normalized Elo, 5 % each)."
            ),
            format!(
                "Pruebas secuenciales con aperturas no usadas al entrenar, que deben decir todas mejor: {test} (0 frente a \
                 20 Elo normalizado, 5 % cada una)."
            ),
        ),
    };
    let games = comparisons.iter().map(|comparison| measured(comparison, language));
    ChampionVerdict { class, sentences: [first, test].into_iter().chain(games).collect() }
}

/// The result of the games against one baseline, with 95 % intervals.
fn measured(comparison: &BaselineComparison, language: Language) -> String {
    let games = &comparison.games;
    let baseline = translation::translate(language, &comparison.baseline);
    let [low, score, high] = games.score().map(|share| 100.0 * share);
    let words = language.pick(EloWords::ENGLISH, EloWords::SPANISH);
    let difference = words.estimate(&games.verdict().estimate());
    let [wins, draws, losses, n] = [games.wins, games.draws, games.losses, games.n_games()].map(grouped);
    language.pick(
        format!(
            "{n} games against {baseline}: {wins} won, {draws} drawn, {losses} lost; {score:.1} % of the points \
             [{low:.1}, {high:.1}], a difference of {difference}. The brackets are 95 % intervals over \
             pairs of games."
        ),
        format!(
            "{n} partidas contra {baseline}: {wins} ganadas, {draws} empatadas, {losses} perdidas; {score:.1} % de \
             los puntos [{low:.1}, {high:.1}], una diferencia de {difference}. Los corchetes son \
             intervalos del 95 % sobre pares de partidas."
        ),
    )
}
