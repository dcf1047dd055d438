//! `palestra stats --values`: the mean of repeated measurements, its interval and a t-test.

use crate::cli::args_stats::StatsArgs;
use crate::cli::output::{Output, number};
use anyhow::Result;
use palestra_core::InputError;
use serde_json::json;
use statrs::distribution::{ContinuousCDF, StudentsT};

pub(super) fn run(text: &str, args: &StatsArgs, output: &mut Output) -> Result<()> {
    let values = parse("--values", text)?;
    let than = args.than.as_deref().map(|than| parse("--than", than)).transpose()?;
    let sample = Sample::of(&values);
    let (mean, what) = match &than {
        None => (sample.mean(), "the mean"),
        Some(than) => (sample.beyond(&Sample::of(than)), "the difference of the means"),
    };
    if !args.against.is_finite() {
        return Err(InputError::new("--against", args.against.to_string(), "a finite number").into());
    }
    if ![mean.value, mean.error, mean.freedom].into_iter().all(f64::is_finite) {
        let expected = "numbers whose mean and deviation are not too large to compute";
        return Err(InputError::new("--values", text, expected).into());
    }
    let sentence = mean.sentence(what, args.against);
    if output.json {
        return output.json(&json!({
            "values": values, "than": than, "n": values.len(), "sd": sample.sd, "mean": mean.value,
            "low": mean.value - mean.reach(), "high": mean.value + mean.reach(), "against": args.against,
            "p": mean.p(args.against), "sentence": sentence,
        }));
    }
    let shown = [mean.value, mean.value - mean.reach(), mean.value + mean.reach()].map(number);
    output.line(format_args!(
        "{what} of {} values: {} [{}, {}]",
        values.len(),
        shown[0],
        shown[1],
        shown[2]
    ))?;
    output.line(sentence)
}

fn parse(option: &str, text: &str) -> Result<Vec<f64>, InputError> {
    let parse_one = |part: &str| {
        let value = part.trim().parse().ok().filter(|value: &f64| value.is_finite());
        value.ok_or_else(|| InputError::new(option, part, "a finite number"))
    };
    let values = text.split(',').map(parse_one).collect::<Result<Vec<f64>, InputError>>()?;
    if values.len() < 2 {
        return Err(InputError::new(option, text, "at least two numbers, separated by commas"));
    }
    Ok(values)
}

struct Sample {
    n: f64,
    mean: f64,
    sd: f64,
}

/// An estimate with its standard error.
struct MeanEstimate {
    value: f64,
    error: f64,
    /// Degrees of freedom.
    freedom: f64,
}

impl Sample {
    fn of(values: &[f64]) -> Sample {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let sd = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
        Sample { n, mean, sd }
    }

    fn mean(&self) -> MeanEstimate {
        MeanEstimate { value: self.mean, error: self.sd / self.n.sqrt(), freedom: self.n - 1.0 }
    }

    /// The difference of the means, by Welch's approximation: the variances may differ.
    fn beyond(&self, other: &Sample) -> MeanEstimate {
        let [a, b] = [self, other].map(|sample| sample.sd * sample.sd / sample.n);
        let sum = a * a / (self.n - 1.0) + b * b / (other.n - 1.0);
        let freedom = if sum > 0.0 { (a + b).powi(2) / sum } else { self.n + other.n - 2.0 };
        MeanEstimate { value: self.mean - other.mean, error: (a + b).sqrt(), freedom }
    }
}

impl MeanEstimate {
    fn student(&self) -> StudentsT {
        StudentsT::new(0.0, 1.0, self.freedom).expect("two values leave a degree of freedom")
    }

    /// Half the width of the 95 % interval.
    fn reach(&self) -> f64 {
        self.student().inverse_cdf(0.975) * self.error
    }

    /// Two-sided p-value against a hypothetical mean; 0 or 1 where all values are equal.
    fn p(&self, against: f64) -> f64 {
        match self.error > 0.0 {
            true => 2.0 * self.student().cdf(-((self.value - against) / self.error).abs()),
            false => f64::from(u8::from(self.value == against)),
        }
    }

    fn sentence(&self, what: &str, against: f64) -> String {
        let p = self.p(against);
        let relation = match (p < 0.05, self.value > against) {
            (false, _) => "not distinguishable from",
            (true, true) => "above",
            (true, false) => "below",
        };
        let p = if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") };
        format!("{what} is {relation} {} (Student's t, {p})", number(against))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Student's own data of 1908: hours of sleep gained by ten patients under two drugs.
    const DRUGS: [[f64; 10]; 2] = [
        [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
        [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
    ];

    #[test]
    fn one_sample() {
        let gains: Vec<f64> = DRUGS[1].iter().zip(DRUGS[0]).map(|(second, first)| second - first).collect();
        let mean = Sample::of(&gains).mean();
        assert!((mean.value - 1.58).abs() < 1e-12);
        assert!((mean.p(0.0) - 0.002_833).abs() < 1e-6, "{}", mean.p(0.0));
        assert!((mean.value - mean.reach() - 0.700_114).abs() < 1e-5);
        assert_eq!(mean.sentence("the mean", 0.0), "the mean is above 0 (Student's t, p = 0.003)");
        assert!(mean.sentence("the mean", 1.5).contains("not distinguishable from 1.5"));
    }

    #[test]
    fn two_samples() {
        let [first, second] = DRUGS.map(|drug| Sample::of(&drug));
        let difference = first.beyond(&second);
        assert!((difference.freedom - 17.776).abs() < 1e-3, "{}", difference.freedom);
        assert!((difference.p(0.0) - 0.079_39).abs() < 1e-5, "{}", difference.p(0.0));
        assert!((difference.value + difference.reach() - 0.205_483).abs() < 1e-5);
    }

    #[test]
    fn equal_values_and_bad_ones() {
        let equal = Sample::of(&[0.5, 0.5]);
        assert_eq!((equal.mean().reach(), equal.mean().p(0.5), equal.mean().p(0.0)), (0.0, 1.0, 0.0));
        assert_eq!(equal.beyond(&equal).p(0.0), 1.0);
        assert_eq!(
            parse("--values", "1,x").unwrap_err().to_string(),
            "invalid value \"x\" for --values: expected a finite number"
        );
        assert!(parse("--values", "1").is_err() && parse("--values", "1,inf").is_err());
    }
}
