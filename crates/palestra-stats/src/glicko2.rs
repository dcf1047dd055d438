//! Glicko-2 (Glickman 2012): ratings for a long-running ladder whose players change. For a single event with players of
//! constant strength, use [`crate::rate`].

use std::f64::consts::PI;

/// Rating of a player of a ladder.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct Glicko {
    /// The rating; 1500 for a new player.
    pub rating: f64,
    /// Standard deviation of the rating; 350 for a new player.
    pub deviation: f64,
    /// Volatility of the player's strength; 0.06 for a new player.
    pub volatility: f64,
}

impl Default for Glicko {
    fn default() -> Glicko {
        Glicko { rating: 1500.0, deviation: 350.0, volatility: 0.06 }
    }
}

/// Rating points per unit of Glicko-2's own scale.
const SCALE: f64 = 173.7178;

/// The largest deviation, that of a new player.
const MAX_DEVIATION: f64 = 350.0;

impl Glicko {
    /// The rating after one rating period. `results` are the opponents with their ratings before the period, the number
    /// of games against each and the points scored. `tau` limits the change of volatility; 0.3 to 1.2 are reasonable.
    ///
    /// ```
    /// use palestra_stats::Glicko;
    ///
    /// let other = |rating, deviation| Glicko { rating, deviation, volatility: 0.06 };
    /// let results = [
    ///     (other(1400.0, 30.0), 1.0, 1.0),
    ///     (other(1550.0, 100.0), 1.0, 0.0),
    ///     (other(1700.0, 300.0), 1.0, 0.0),
    /// ];
    /// let after = other(1500.0, 200.0).after(&results, 0.5);
    /// assert_eq!(format!("{:.2} {:.2} {:.6}", after.rating, after.deviation, after.volatility),
    ///            "1464.05 151.52 0.059996");
    /// ```
    pub fn after(&self, results: &[(Glicko, f64, f64)], tau: f64) -> Glicko {
        let (mu, phi) = ((self.rating - 1500.0) / SCALE, self.deviation / SCALE);
        let (mut information, mut excess) = (0.0, 0.0);
        for (opponent, games, points) in results {
            let g = damping(opponent.deviation / SCALE);
            let expected = 1.0 / (1.0 + (-g * (mu - (opponent.rating - 1500.0) / SCALE)).exp());
            information += games * g * g * expected * (1.0 - expected);
            excess += g * (points - games * expected);
        }
        if information <= 0.0 {
            // No games: only the deviation grows with time.
            let deviation = SCALE * phi.hypot(self.volatility);
            return Glicko { deviation: deviation.min(MAX_DEVIATION), ..*self };
        }
        let v = 1.0 / information;
        let volatility = self.volatility_after(phi, v, v * excess, tau);
        let spread = phi.hypot(volatility);
        let phi = 1.0 / (1.0 / (spread * spread) + information).sqrt();
        Glicko {
            rating: 1500.0 + SCALE * (mu + phi * phi * excess),
            deviation: (SCALE * phi).min(MAX_DEVIATION),
            volatility,
        }
    }

    /// Step 5 of the paper: the root of f by the Illinois method.
    fn volatility_after(&self, phi: f64, v: f64, delta: f64, tau: f64) -> f64 {
        let a = (self.volatility * self.volatility).ln();
        let f = |x: f64| {
            let spread = phi * phi + v + x.exp();
            x.exp() * (delta * delta - spread) / (2.0 * spread * spread) - (x - a) / (tau * tau)
        };
        let (mut low, excess) = (a, delta * delta - phi * phi - v);
        let mut high = if excess > 0.0 {
            excess.ln()
        } else {
            let steps = (1..100).map(f64::from).find(|k| f(a - k * tau) >= 0.0);
            a - steps.unwrap_or(100.0) * tau
        };
        let (mut at_low, mut at_high) = (f(low), f(high));
        for _ in 0..100 {
            if (high - low).abs() <= 1e-9 || at_high == at_low {
                break;
            }
            let middle = low + (low - high) * at_low / (at_high - at_low);
            let at_middle = f(middle);
            if at_middle * at_high <= 0.0 {
                (low, at_low) = (high, at_high);
            } else {
                at_low /= 2.0;
            }
            (high, at_high) = (middle, at_middle);
        }
        (low / 2.0).exp()
    }
}

/// Weight of a result against an opponent with an uncertain rating: the paper's g(φ).
fn damping(phi: f64) -> f64 {
    1.0 / (1.0 + 3.0 * phi * phi / (PI * PI)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(rating: f64, deviation: f64) -> Glicko {
        Glicko { rating, deviation, volatility: 0.06 }
    }

    #[test]
    fn example_of_the_paper() {
        let results = [
            (player(1400.0, 30.0), 1.0, 1.0),
            (player(1550.0, 100.0), 1.0, 0.0),
            (player(1700.0, 300.0), 1.0, 0.0),
        ];
        let after = player(1500.0, 200.0).after(&results, 0.5);
        assert!((after.rating - 1464.05).abs() < 0.005, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 0.005, "{after:?}");
        assert!((after.volatility - 0.059996).abs() < 5e-7, "{after:?}");
    }

    #[test]
    fn the_deviation_grows_without_games() {
        let after = player(1600.0, 50.0).after(&[], 0.5);
        assert_eq!((after.rating, after.volatility), (1600.0, 0.06));
        // √(50² + (0.06 · 173.7178)²), by hand.
        assert!((after.deviation - 51.07485).abs() < 0.00001, "{after:?}");
        assert_eq!(Glicko::default().after(&[], 0.5).deviation, 350.0);
    }

    #[test]
    fn unexpected_results_raise_the_volatility() {
        let strong = player(2400.0, 30.0);
        let after = player(1500.0, 50.0).after(&[(strong, 10.0, 10.0)], 0.5);
        assert_eq!(after, player(1500.0, 50.0).after(&[(strong, 5.0, 5.0); 2], 0.5));
        assert!(after.volatility > 0.06 && after.volatility < 0.2, "{after:?}");
        for games in [1.0, 100.0, 1e15] {
            for score in [0.0, 0.5, 1.0] {
                let after = Glicko::default().after(&[(player(9000.0, 0.0), games, games * score)], 0.5);
                assert!(
                    after.rating.is_finite() && after.deviation > 0.0 && after.volatility.is_finite(),
                    "{after:?}"
                );
            }
        }
    }
}
