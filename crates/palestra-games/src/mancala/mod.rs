//! Mancala by the rules of a university course, `mancala:uam`, and the code that all sowing games share.

mod clock;
pub(crate) mod cups;
pub(crate) mod evaluators;
mod exact;
pub(crate) mod kalah_features;
#[cfg(test)]
pub(crate) mod plain;
mod random_evaluation;
pub(crate) mod rules;
pub(crate) mod seeds;
mod sowing;
pub(crate) mod steps;
#[cfg(test)]
mod tests;
pub(crate) mod text;

pub use rules::{Mancala, Ply, Position};

use evaluators::{Bueno, FixedEvaluator, HabiaUnaVez, RegularEvaluator};
use kalah_features::KalahFeatures;
use palestra_core::{
    EvaluationInfo, EvaluationVisitor, ExactVisitor, Family, FamilyInfo, GameOptions, GameVisitor,
    InputError, Playable, Policy,
};
use random_evaluation::RandomEvaluation;
use seeds::SeedCountFeatures;

/// The course's game, with or without the seed leak (`fuga`) of an earlier engine.
#[derive(Debug)]
pub struct MancalaFamily;

impl Family for MancalaFamily {
    const INFO: FamilyInfo = FamilyInfo {
        name: "mancala",
        title: "Mancala by the rules of a university course",
        syntax: "mancala:uam[,fuga]",
        aliases: &[("mancala", "mancala:uam")],
        rules: include_str!("rules.txt"),
        parameters: &[
            ("uam", "the course's rules, engine 11.0"),
            (
                "fuga",
                "with the leak of engine 10.0: a side with one seed in its holes may get one from the opponent's store",
            ),
        ],
        notation: include_str!("notation.txt"),
        exact: "the final margin, own row minus the opponent's, for the side to move, without the referee of rule 8. Not with fuga",
        players: include_str!("players.txt"),
        pools: &[],
        samples: &["mancala:uam", "mancala:uam,fuga"],
        perft: include_str!("perft.txt"),
        playthroughs: include_str!("playthroughs.txt"),
        longest_game: 60,
        spanish: include_str!("spanish.txt"),
    };

    fn open<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, InputError> {
        Ok(visitor.visit(parse(parameters)?))
    }
}

fn parse(text: &str) -> Result<Mancala, InputError> {
    let whole = format!("mancala:{text}");
    let options = GameOptions::parse(text, &["fuga"], &whole)?;
    if options.head != "uam" {
        let key = format!("rules in \"{whole}\"");
        return Err(InputError::unknown(key, options.head, "a set of rules", ["uam"]));
    }
    Ok(Mancala { fuga: options.choice("fuga", &["no", "yes"], &whole)? == Some(1) })
}

impl Playable for Mancala {
    fn evaluations(&self) -> &'static [EvaluationInfo] {
        &[
            EvaluationInfo {
                name: "regular",
                about: "the course's evaluation: seeds of the own row minus those of the opponent's, stores included; no weights",
            },
            EvaluationInfo {
                name: "bueno",
                about: "the course's evaluation: the best such difference after one more ply, -50 in any ended game; no weights",
            },
            EvaluationInfo {
                name: "bueno-fixed",
                about: "bueno as corrected in the report: 10000 in an ended game, -10000 if it is lost; no weights",
            },
            EvaluationInfo {
                name: "habia-una-vez",
                about: "the tuned evaluation of the report: the features of seeds with fixed weights; no weights",
            },
            EvaluationInfo {
                name: "seeds",
                about: "the features of the report with free weights: seeds in holes, where sowings would end, difference",
            },
            EvaluationInfo {
                name: "kalah",
                about: "the features of modern Kalah programs: stores, seeds, captures, extra turns, moves, side to move",
            },
        ]
    }

    fn evaluation<V: EvaluationVisitor<Self>>(&self, name: &str, visitor: V) -> Option<V::Out> {
        Some(match name {
            "regular" => visitor.other(FixedEvaluator(RegularEvaluator)),
            "bueno" => visitor.other(FixedEvaluator(Bueno::COURSE)),
            "bueno-fixed" => visitor.other(FixedEvaluator(Bueno::FIXED)),
            "habia-una-vez" => visitor.other(FixedEvaluator(HabiaUnaVez)),
            "seeds" => visitor.linear(SeedCountFeatures::new(self)),
            "kalah" => visitor.linear(KalahFeatures::new(self)),
            _ => return None,
        })
    }

    fn opponent(&self) -> String {
        // The named player `climbed` at a larger depth; a move takes some hundredths of a second.
        "alphabeta:depth=10/kalah/10,2,4,6,-1,4,-2,2,-2,0".to_owned()
    }

    fn exact<V: ExactVisitor<Self>>(&self, visitor: V) -> Option<V::Out> {
        (!self.fuga).then(|| visitor.tree(exact::MancalaTree))
    }

    fn policies(&self) -> &'static [EvaluationInfo] {
        &[EvaluationInfo {
            name: "random-evaluation",
            about: "the course's eval-aleatoria: a search of two plies with random values from 0 to 99",
        }]
    }

    fn policy(&self, name: &str) -> Option<Box<dyn Policy<Self>>> {
        (name == "random-evaluation").then(|| Box::new(RandomEvaluation::new()) as Box<dyn Policy<Self>>)
    }
}
