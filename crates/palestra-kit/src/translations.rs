//! Texts of a family that have no Spanish translation.

use crate::open;
use palestra_core::{
    EvaluationVisitor, Family, FeatureSet, Game, GameVisitor, ParametricEvaluator, Playable,
};
use std::collections::BTreeSet;

/// The title, descriptions of evaluations and meanings of features that [`palestra_core::FamilyInfo::spanish`] does not
/// translate: the Spanish page shows them in English.
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
        texts
    }
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
