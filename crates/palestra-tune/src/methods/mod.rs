//! The optimizers by name. A new one is a file here and a line in [`METHODS`].

mod cma;
mod cmaes;
mod coevolution;
pub(crate) mod common;
mod evolution;
mod frame;
mod ga;
mod grid;
mod king;
mod random;
mod regression;
pub mod sharing;
mod spsa;
#[cfg(test)]
mod synthetic;
#[cfg(test)]
mod trial;
mod values;

use crate::{Optimizer, OptimizerSetup, RequestSizes, Space};
use palestra_core::{InputError, Seed};
use palestra_settings::Document;

/// A method: name, description, settings and constructor.
#[derive(Debug)]
pub struct MethodInfo {
    /// Its name in plans.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub about: &'static str,
    /// Its settings: key, description, default.
    pub settings: &'static [(&'static str, &'static str, &'static str)],
    /// Opens the optimizer with the settings of a section; an error for a key or value it cannot use.
    pub open: OpenOptimizer,
    /// The sizes of the requests with those settings, by arithmetic alone.
    pub sizes: RequestSizesOf,
}

/// Constructor of an optimizer.
pub type OpenOptimizer = fn(&OptimizerSetup, &Document) -> Result<Box<dyn Optimizer>, InputError>;

/// The sizes of the requests of an optimizer.
pub type RequestSizesOf = fn(&OptimizerSetup, &Document) -> Result<RequestSizes, InputError>;

/// All methods of this crate, sorted by name.
pub static METHODS: &[MethodInfo] = &[
    cmaes::INFO,
    coevolution::INFO,
    evolution::INFO,
    ga::INFO,
    grid::INFO,
    king::INFO,
    random::INFO,
    regression::INFO,
    spsa::INFO,
];

/// A uniform random point within the bounds, or a random direction where only the direction matters.
pub(crate) fn random_point(space: &Space, seed: Seed) -> Vec<f64> {
    let draw = if space.scale_free { common::on_sphere } else { common::in_box };
    draw(space, &mut seed.rng())
}

#[cfg(test)]
mod tests {
    use super::METHODS;
    use crate::keys::tests::check_shown;

    #[test]
    fn methods_are_sorted_and_described() {
        assert!(METHODS.is_sorted_by(|a, b| a.name < b.name));
        for info in METHODS {
            assert!(!info.about.is_empty() && !info.about.ends_with('.'), "{}", info.name);
        }
    }

    #[test]
    fn defaults_are_those_shown() {
        check_shown::<super::cmaes::CmaesSettings>(super::cmaes::INFO.settings);
        check_shown::<super::coevolution::CoevolutionSettings>(super::coevolution::INFO.settings);
        check_shown::<super::evolution::EvolutionSettings>(super::evolution::INFO.settings);
        check_shown::<super::ga::GaSettings>(super::ga::INFO.settings);
        check_shown::<super::grid::GridSettings>(super::grid::INFO.settings);
        check_shown::<super::king::KingSettings>(super::king::INFO.settings);
        check_shown::<super::random::RandomSettings>(super::random::INFO.settings);
        check_shown::<super::regression::RegressionSettings>(super::regression::INFO.settings);
        check_shown::<super::spsa::SpsaSettings>(super::spsa::INFO.settings);
    }
}
