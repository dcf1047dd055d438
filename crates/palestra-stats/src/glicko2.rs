//! Glicko-2 (Glickman 2012): for a ladder that goes on for long while players change. For one event of players that
//! stay as they are, [`crate::rate`] is the better answer.

use std::f64::consts::PI;

/// A player of a ladder.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Glicko {
    /// The rating, 1500 for a newcomer.
    pub rating: f64,
    /// Its standard deviation, 350 for a newcomer.
    pub deviation: f64,
    /// How much the player's strength moves, 0.06 for a newcomer.
    pub volatility: f64,
}

impl Default for Glicko {
    fn default() -> Glicko {
        Glicko { rating: 1500.0, deviation: 350.0, volatility: 0.06 }
    }
}

/// Rating points per unit of Glicko-2's own scale.
const SCALE: f64 = 173.7178;

/// The largest deviation: that of a newcomer.
const LARGEST_DEVIATION: f64 = 350.0;

impl Glicko {
    /// The player after one period: `results` are opponents as they were before it, with the games against each and
    /// the points taken. `tau` limits the change of volatility, 0.3 to 1.2.
    ///
    /// ```
    /// use palestra_stats::Glicko;
    ///
    /// let other = |rating, deviation| Glicko { rating, deviation, volatility: 0.06 };
    /// let results = [(other(1400.0, 30.0), 1.0, 1.0), (other(1550.0, 100.0), 1.0, 0.0), (other(1700.0, 300.0), 1.0, 0.0)];
    /// let after = other(1500.0, 200.0).after(&results, 0.5);
    /// assert_eq!(format!("{:.2} {:.2} {:.6}", after.rating, after.deviation, after.volatility),
    ///            "1464.05 151.52 0.059996");
    /// ```
    pub fn after(&self, results: &[(Glicko, f64, f64)], tau: f64) -> Glicko {
        let (mu, phi) = ((self.rating - 1500.0) / SCALE, self.deviation / SCALE);
        let (mut information, mut surprise) = (0.0, 0.0);
        for (opponent, games, points) in results {
            let g = damping(opponent.deviation / SCALE);
            let expected = 1.0 / (1.0 + (-g * (mu - (opponent.rating - 1500.0) / SCALE)).exp());
            information += games * g * g * expected * (1.0 - expected);
            surprise += g * (points - games * expected);
        }
        if information <= 0.0 {
            // Nobody met: only time went by.
            let deviation = SCALE * phi.hypot(self.volatility);
            return Glicko { deviation: deviation.min(LARGEST_DEVIATION), ..*self };
        }
        let v = 1.0 / information;
        let volatility = self.volatility_after(phi, v, v * surprise, tau);
        let spread = phi.hypot(volatility);
        let phi = 1.0 / (1.0 / (spread * spread) + information).sqrt();
        Glicko {
            rating: 1500.0 + SCALE * (mu + phi * phi * surprise),
            deviation: (SCALE * phi).min(LARGEST_DEVIATION),
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

/// How much less a result says against an opponent whose strength is not well known: the paper's g(φ).
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
    fn the_example_of_the_paper() {
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
    fn who_does_not_play_becomes_uncertain() {
        let after = player(1600.0, 50.0).after(&[], 0.5);
        assert_eq!((after.rating, after.volatility), (1600.0, 0.06));
        // √(50² + (0.06 · 173.7178)²), by hand.
        assert!((after.deviation - 51.07485).abs() < 0.00001, "{after:?}");
        assert_eq!(Glicko::default().after(&[], 0.5).deviation, 350.0);
    }

    #[test]
    fn surprises_raise_the_volatility() {
        let giant = player(2400.0, 30.0);
        let after = player(1500.0, 50.0).after(&[(giant, 10.0, 10.0)], 0.5);
        assert_eq!(after, player(1500.0, 50.0).after(&[(giant, 5.0, 5.0); 2], 0.5));
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
