//! Newton's method for the maximum-likelihood ratings.

use super::groups::Groups;
use super::model::BradleyTerry;
use super::system::InformationSolver;

/// Maximum number of steps; it usually needs six.
const MAX_STEPS: usize = 200;

/// Maximum length of a step, in natural units: about 500 Elo.
const MAX_LENGTH: f64 = 3.0;

/// An advantage beyond this, 1700 Elo, counts as unbounded: the first side won or lost all games.
const UNBOUNDED: f64 = 10.0;

/// The maximum-likelihood ratings, followed by the advantage. Where the results do not bound the advantage, the model
/// gets half a virtual draw between equal players.
pub(super) fn fit(model: &mut BradleyTerry, groups: &Groups) -> Vec<f64> {
    let theta = newton(model, groups);
    if theta[model.n].abs() < UNBOUNDED {
        return theta;
    }
    model.advantage_prior = 0.5;
    newton(model, groups)
}

fn newton(model: &BradleyTerry, groups: &Groups) -> Vec<f64> {
    let mut theta: Vec<f64> = model.fixed.iter().map(|fixed| fixed.unwrap_or(0.0)).collect();
    theta.push(0.0);
    for _ in 0..MAX_STEPS {
        if model.has_advantage && model.advantage_prior == 0.0 && theta[model.n].abs() > 2.0 * UNBOUNDED {
            break;
        }
        let slope = model.gradient(&theta);
        let step = InformationSolver::at(model, groups, &theta).solve(model, groups, &slope);
        if !advance(model, &mut theta, &slope, step) {
            break;
        }
    }
    theta
}

/// Moves `theta` along a step, shortened where the maximum is before its end; `false` once converged.
pub(super) fn advance(model: &BradleyTerry, theta: &mut Vec<f64>, slope: &[f64], mut step: Vec<f64>) -> bool {
    let length = step.iter().fold(0.0f64, |max, value| max.max(value.abs()));
    if !length.is_finite() || length < 1e-11 {
        return false;
    }
    let shorten = |step: &mut [f64], factor: f64| step.iter_mut().for_each(|value| *value *= factor);
    if length > MAX_LENGTH {
        shorten(&mut step, MAX_LENGTH / length);
    }
    let along = |slope: &[f64], step: &[f64]| slope.iter().zip(step).map(|(a, b)| a * b).sum::<f64>();
    for _ in 0..40 {
        let there: Vec<f64> = theta.iter().zip(&step).map(|(value, step)| value + step).collect();
        // The likelihood is concave: beyond its maximum along the step the slope is negative.
        if along(&model.gradient(&there), &step) >= -0.5 * along(slope, &step) || length < 1e-7 {
            *theta = there;
            return length > 1e-10;
        }
        shorten(&mut step, 0.5);
    }
    false
}
