//! The methods by name. A new one is a file here and a line in [`METHODS`].

mod cma;
mod cmaes;
mod coevolution;
mod common;
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

use crate::{Optimizer, OptimizerSetup, Settings, Space};
use palestra_core::{InputError, Seed};

/// A method as people choose it.
#[derive(Debug)]
pub struct MethodInfo {
    /// Its name in plans.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub about: &'static str,
    /// Its settings: name, what it is, default.
    pub settings: &'static [(&'static str, &'static str, &'static str)],
    /// Opens it; takes what it knows out of the settings, and complains about values it cannot use.
    pub open: OpenOptimizer,
}

/// Makes a method out of what it is opened with and its own settings.
pub type OpenOptimizer = fn(&OptimizerSetup, &mut Settings) -> Result<Box<dyn Optimizer>, InputError>;

/// Every method there is.
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

/// Any point of a space; on the sphere, any direction.
pub(crate) fn random_point(space: &Space, seed: Seed) -> Vec<f64> {
    let draw = if space.scale_free { common::on_sphere } else { common::in_box };
    draw(space, &mut seed.rng())
}

#[cfg(test)]
mod tests {
    use super::METHODS;

    #[test]
    fn the_list_is_in_order_and_says_something() {
        assert!(METHODS.is_sorted_by(|a, b| a.name < b.name));
        for info in METHODS {
            assert!(!info.about.is_empty() && !info.about.ends_with('.'), "{}", info.name);
            for (key, meaning, default) in info.settings {
                assert!(!key.is_empty() && !meaning.is_empty() && !default.is_empty(), "{} {key}", info.name);
            }
        }
    }
}
