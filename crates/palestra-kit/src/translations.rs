//! Texts of a family that have no Spanish translation.

use crate::open;
use palestra_core::{
    CellContent, EvaluationVisitor, Family, FeatureSet, Game, GameVisitor, ParametricEvaluator, Playable,
    Seed,
};
use std::collections::BTreeSet;

/// Stages of moves that the page knows itself.
const KNOWN_STAGES: [&str; 6] = ["move", "piece", "square", "kick", "cell", "direction"];

/// Random games whose endings and pieces are looked at.
const N_GAMES: u64 = 20;

/// The title, descriptions of evaluations, meanings of features, pieces, stages of moves and the endings of a few random
/// games that [`palestra_core::FamilyInfo::spanish`] does not translate: the Spanish page shows them in English.
pub fn untranslated<F: Family>() -> Result<Vec<&'static str>, String> {
    let known: BTreeSet<&str> = F::INFO.spanish_texts().map(|(english, _)| english).collect();
    let mut texts: BTreeSet<&'static str> = BTreeSet::from([F::INFO.title]);
    for sample in F::INFO.samples {
        texts.extend(open::<F, _>(sample, CollectTexts).map_err(|bad| bad.to_string())?);
    }
    Ok(texts.into_iter().filter(|text| !known.contains(text)).collect())
}

struct CollectTexts;

impl GameVisitor for CollectTexts {
    type Out = Vec<&'static str>;

    fn visit<G: Playable>(self, game: G) -> Self::Out {
        let mut texts = Vec::new();
        for info in game.evaluations() {
            texts.push(info.about);
            texts.extend(game.evaluation(info.name, CollectMeanings).unwrap_or_default());
        }
        texts.extend(game.stage_names().iter().filter(|name| !KNOWN_STAGES.contains(name)));
        (0..N_GAMES).for_each(|i| collect_game(&game, Seed(i), &mut texts));
        texts
    }
}

/// The names of the pieces at the start and at the end of a random game, and the reason why it ended.
fn collect_game<G: Playable>(game: &G, seed: Seed, texts: &mut Vec<&'static str>) {
    let (mut at, mut rng, mut scratch) = (game.start(), seed.rng(), Vec::new());
    let mut pieces = |at: &G::Position| {
        texts.extend(game.grid(at, None).cells.iter().filter_map(|cell| match cell.content {
            CellContent::Piece(piece) => Some(piece.name),
            _ => None,
        }));
    };
    pieces(&at);
    while let Some(mv) = game.random_move(&at, &mut rng, &mut scratch) {
        game.play(&mut at, mv);
    }
    pieces(&at);
    texts.extend(game.ending(&at).map(|ending| ending.reason));
}

struct CollectMeanings;

impl<G: Game> EvaluationVisitor<G> for CollectMeanings {
    type Out = Vec<&'static str>;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> Self::Out {
        set.features().iter().map(|feature| feature.meaning).collect()
    }

    fn other<T: ParametricEvaluator<G>>(self, evaluator: T) -> Self::Out {
        evaluator.parameters().iter().map(|parameter| parameter.meaning).collect()
    }
}
