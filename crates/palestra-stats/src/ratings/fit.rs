//! Newton's method for the likeliest ratings.

use super::groups::Groups;
use super::model::BradleyTerry;
use super::system::InformationSolver;

/// Most steps; what it usually needs is six.
const STEPS: usize = 200;

/// The longest single step, in natural units: about 500 Elo.
const LONGEST: f64 = 3.0;

/// An advantage beyond this, 1700 Elo, is one that no results bound: the first side won or lost everything.
const UNBOUNDED: f64 = 10.0;

/// The likeliest ratings, and the advantage behind them. Where nothing bounds the advantage the model gets half a
/// virtual draw between equals.
pub(super) fn fit(model: &mut BradleyTerry, groups: &Groups) -> Vec<f64> {
    let theta = climb(model, groups);
    if theta[model.n].abs() < UNBOUNDED {
        return theta;
    }
    model.advantage_prior = 0.5;
    climb(model, groups)
}

fn climb(model: &BradleyTerry, groups: &Groups) -> Vec<f64> {
    let mut theta: Vec<f64> = model.fixed.iter().map(|fixed| fixed.unwrap_or(0.0)).collect();
    theta.push(0.0);
    for _ in 0..STEPS {
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

/// Goes along a step, less far where the top lies before its end; `false` when there is nowhere left to go.
pub(super) fn advance(model: &BradleyTerry, theta: &mut Vec<f64>, slope: &[f64], mut step: Vec<f64>) -> bool {
    let length = step.iter().fold(0.0f64, |most, value| most.max(value.abs()));
    if !length.is_finite() || length < 1e-11 {
        return false;
    }
    let shorten = |step: &mut [f64], factor: f64| step.iter_mut().for_each(|value| *value *= factor);
    if length > LONGEST {
        shorten(&mut step, LONGEST / length);
    }
    let along = |slope: &[f64], step: &[f64]| slope.iter().zip(step).map(|(a, b)| a * b).sum::<f64>();
    for _ in 0..40 {
        let there: Vec<f64> = theta.iter().zip(&step).map(|(value, step)| value + step).collect();
        // The likelihood is concave: beyond its top along the step the slope has turned.
        if along(&model.gradient(&there), &step) >= -0.5 * along(slope, &step) || length < 1e-7 {
            *theta = there;
            return length > 1e-10;
        }
        shorten(&mut step, 0.5);
    }
    false
}
