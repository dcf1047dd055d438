//! Paths into the JSON output of a command: `RUN:/standings/player=grid-5/points`.

use palestra_core::{InputError, nearest_name};
use palestra_review::number;
use serde_json::Value;
use std::collections::BTreeMap;

/// A value of a command output, or a fold of such values.
#[derive(Clone, PartialEq, Debug)]
pub struct OutputValue(Value);

impl From<Value> for OutputValue {
    fn from(value: Value) -> OutputValue {
        OutputValue(value)
    }
}

impl OutputValue {
    /// The value as a number; `None` if it is not one.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        as_number(&self.0)
    }

    /// The value as a flat list of numbers, nested lists included; `None` if any item is not a number.
    #[must_use]
    pub fn numbers(&self) -> Option<Vec<f64>> {
        let mut flat = Vec::new();
        flatten(&self.0, &mut flat);
        flat.into_iter().map(as_number).collect()
    }

    /// The value as text for a reader: lists with commas, three counts with slashes.
    #[must_use]
    pub fn text(&self) -> String {
        text(&self.0)
    }

    /// The value as text with all digits of its numbers.
    pub(crate) fn exact_text(&self) -> String {
        let mut flat = Vec::new();
        flatten(&self.0, &mut flat);
        let one = |value: &Value| if value.is_number() { value.to_string() } else { text(value) };
        flat.into_iter().map(one).collect::<Vec<_>>().join(",")
    }

    /// The items of a list as texts.
    pub(crate) fn texts(&self) -> Vec<String> {
        let mut flat = Vec::new();
        flatten(&self.0, &mut flat);
        flat.into_iter().map(text).collect()
    }

    /// The value as a word of a command line: lists with commas, and all digits of its numbers.
    pub(crate) fn word(&self) -> String {
        let mut flat = Vec::new();
        flatten(&self.0, &mut flat);
        let word = |value: &Value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        flat.into_iter().map(word).collect::<Vec<_>>().join(",")
    }

    /// A list of numbers in short: median, minimum, maximum and count.
    pub(crate) fn summary(&self, decimals: Option<usize>) -> String {
        let Some(mut numbers) = self.numbers().filter(|numbers| numbers.len() > 1) else {
            return self.rounded(decimals);
        };
        numbers.sort_by(f64::total_cmp);
        let shown = |value: f64| OutputValue(Value::from(value)).rounded(decimals);
        let (min, max) = (shown(numbers[0]), shown(numbers[numbers.len() - 1]));
        format!("{}, from {min} to {max} in {}", shown(numbers[numbers.len() / 2]), numbers.len())
    }

    /// The value as text for a reader, with this number of decimals.
    #[must_use]
    pub fn rounded(&self, decimals: Option<usize>) -> String {
        match (decimals, &self.0) {
            (Some(decimals), Value::Array(items)) => {
                let each = |item: &Value| OutputValue(item.clone()).rounded(Some(decimals));
                items.iter().map(each).collect::<Vec<_>>().join(", ")
            }
            (Some(decimals), value) => match as_number(value) {
                Some(number) => format!("{number:.decimals$}"),
                None => text(value),
            },
            (None, value) => text(value),
        }
    }
}

fn as_number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::Bool(flag) => Some(f64::from(u8::from(*flag))),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

fn flatten<'a>(value: &'a Value, flat: &mut Vec<&'a Value>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| flatten(item, flat)),
        other => flat.push(other),
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::Bool(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        Value::String(text) => text.clone(),
        Value::Number(whole) if whole.is_u64() || whole.is_i64() => whole.to_string(),
        Value::Number(other) => number(other.as_f64().unwrap_or(f64::NAN)),
        Value::Array(items) => {
            let are_counts = items.len() == 3 && items.iter().all(Value::is_u64);
            let separator = if are_counts { "/" } else { ", " };
            items.iter().map(text).collect::<Vec<_>>().join(separator)
        }
        Value::Object(_) => value.to_string(),
    }
}

/// The outputs of commands, by the ids of their runs.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct CommandOutputs {
    pub(crate) all: BTreeMap<String, Value>,
}

/// The result of a path lookup.
pub(crate) enum PathLookup {
    /// The value.
    Found(OutputValue),
    /// The command has not been run.
    NotRun,
}

impl CommandOutputs {
    /// Follows `RUN:/path`; `known` are the ids of all runs of the study.
    pub(crate) fn resolve(&self, path: &str, known: &[String]) -> Result<PathLookup, InputError> {
        let Some((run, steps)) = path.split_once(":/").or_else(|| path.split_once(':')) else {
            return Err(InputError::new("path", path, "a path of the form RUN:/step/step"));
        };
        // A last step such as `mean` can be a key or a fold; the key takes precedence.
        let plain = self.walk_from(run, steps, path, known);
        let (before, last) = steps.rsplit_once('/').unwrap_or(("", steps));
        if plain.is_ok() || !FOLDS.contains(&last) {
            return Ok(plain?.map_or(PathLookup::NotRun, |value| PathLookup::Found(OutputValue(value))));
        }
        let Some(value) = self.walk_from(run, before, path, known)? else { return Ok(PathLookup::NotRun) };
        let value = folded(last, &value).ok_or_else(|| {
            InputError::new(format!("step of the path {path:?}"), last, "a step after a path to numbers")
        })?;
        Ok(PathLookup::Found(OutputValue(value)))
    }

    /// Follows the steps from the output of a run, or of all runs that `prefix*` stands for; `None` if one of them has
    /// not been run.
    fn walk_from(
        &self,
        run: &str,
        steps: &str,
        path: &str,
        known: &[String],
    ) -> Result<Option<Value>, InputError> {
        match run.strip_suffix('*') {
            Some(prefix) => {
                let numbered = |name: &&String| {
                    name.strip_prefix(prefix).is_some_and(|rest| rest.parse::<u32>().is_ok())
                };
                let names: Vec<&String> = known.iter().filter(numbered).collect();
                if names.is_empty() {
                    return Err(unknown_run(path, run, known));
                }
                let outputs: Option<Vec<&Value>> = names.iter().map(|name| self.all.get(*name)).collect();
                let Some(outputs) = outputs else { return Ok(None) };
                let each = |value| walk(value, steps, path);
                outputs.into_iter().map(each).collect::<Result<_, _>>().map(|all| Some(Value::Array(all)))
            }
            None => match self.all.get(run) {
                Some(value) => walk(value, steps, path).map(Some),
                None if known.iter().any(|name| name == run) => Ok(None),
                None => Err(unknown_run(path, run, known)),
            },
        }
    }
}

fn unknown_run(path: &str, run: &str, known: &[String]) -> InputError {
    let nearest = nearest_name(run, known.iter().map(String::as_str));
    InputError::new(format!("run of the path {path:?}"), run, "a run of the study").with_nearest(nearest)
}

fn walk(value: &Value, steps: &str, path: &str) -> Result<Value, InputError> {
    let (step, rest) = match steps.split_once('/') {
        Some((step, rest)) => (step, rest),
        None if steps.is_empty() => return Ok(value.clone()),
        None => (steps, ""),
    };
    let bad = |expected: String| InputError::new(format!("step of the path {path:?}"), step, expected);
    let next = match (step, value) {
        ("*", Value::Array(items)) => {
            return items
                .iter()
                .map(|item| walk(item, rest, path))
                .collect::<Result<_, _>>()
                .map(Value::Array);
        }
        (step, Value::Array(items)) => {
            let item = if step.contains('=') {
                items.iter().find(|item| matches(item, step))
            } else {
                let at: i64 = step
                    .parse()
                    .map_err(|_| bad("an index, * or key=value, the steps into a list".into()))?;
                let from_end = usize::try_from(-at).ok().and_then(|back| items.len().checked_sub(back));
                let place = if at < 0 { from_end } else { usize::try_from(at).ok() };
                place.and_then(|place| items.get(place))
            };
            item.ok_or_else(|| bad(format!("one of the {} items of the list", items.len())))?
        }
        (step, Value::Object(object)) => {
            let key = step.replace("~1", "/").replace("~0", "~");
            object.get(&key).ok_or_else(|| {
                let nearest = nearest_name(&key, object.keys().map(String::as_str));
                bad("a key of the object".into()).with_nearest(nearest)
            })?
        }
        _ => {
            return Err(bad(
                "the end of the path, at a value that is neither a list nor an object".to_owned()
            ));
        }
    };
    walk(next, rest, path)
}

/// Whether an item has all keys of `key=value&key=value` with these values.
fn matches(item: &Value, step: &str) -> bool {
    step.split('&').all(|condition| {
        let Some((key, expected)) = condition.split_once('=') else { return false };
        let expected = expected.replace("~1", "/").replace("~0", "~");
        match item.get(key) {
            Some(Value::String(text)) => *text == expected,
            Some(other) => [other.to_string(), text(other)].contains(&expected),
            None => false,
        }
    })
}

/// Folds of a list of numbers that a path can end with: sum, count, maximum, minimum, mean, standard deviation and root
/// mean square.
const FOLDS: [&str; 7] = ["+", "#", "max", "min", "mean", "sd", "rms"];

fn folded(step: &str, value: &Value) -> Option<Value> {
    let numbers = OutputValue(value.clone()).numbers().filter(|numbers| !numbers.is_empty())?;
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let result = match step {
        "+" => numbers.iter().sum(),
        "#" => n,
        "max" => numbers.iter().copied().reduce(f64::max)?,
        "min" => numbers.iter().copied().reduce(f64::min)?,
        "mean" => mean,
        "sd" => (numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt(),
        _ => (numbers.iter().map(|x| x * x).sum::<f64>() / n).sqrt(),
    };
    // A whole number stays an integer: it is compared and shown as one.
    if result.fract() == 0.0 && result.abs() < 1e15 {
        return Some(Value::from(result as i64));
    }
    serde_json::Number::from_f64(result).map(Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn outputs() -> CommandOutputs {
        let cup = json!({"standings": [
            {"player": "a", "points": 3, "wdl": [1, 0, 2]},
            {"player": "b/c", "points": 4.5, "wdl": [2, 1, 0]},
        ], "odd/key": true, "mean": 0.5});
        let all =
            [("cup", cup), ("m-1", json!({"x": 1})), ("m-2", json!({"x": 2})), ("m-10", json!({"x": 10}))];
        CommandOutputs { all: all.into_iter().map(|(name, value)| (name.to_owned(), value)).collect() }
    }

    fn check(path: &str, expected: &str) {
        let known = ["cup", "m-1", "m-2", "m-10", "later"].map(str::to_owned);
        let result = match outputs().resolve(path, &known) {
            Ok(PathLookup::Found(value)) => value.text(),
            Ok(PathLookup::NotRun) => "not run".to_owned(),
            Err(error) => error.to_string(),
        };
        assert_eq!(result, expected, "{path}");
    }

    #[test]
    fn paths_find_values() {
        check("cup:/standings/player=b~1c/points", "4.5");
        check("cup:/standings/0/player", "a");
        check("cup:/standings/-1/wdl", "2/1/0");
        check("cup:/standings/*/points", "3, 4.5");
        check("cup:/standings/*/points/+", "7.5");
        check("cup:/standings/*/points/#", "2");
        check("cup:/standings/*/points/mean", "3.75");
        check("cup:/standings/*/points/sd", "1.061");
        check("cup:/standings/*/wdl/max", "2");
        check("cup:/mean", "0.5");
        check(
            "cup:/standings/*/mean",
            "invalid value \"mean\" for step of the path \"cup:/standings/*/mean\": expected a step after a path to numbers",
        );
        check("cup:/standings/*/wdl/rms", "1.291");
        check(
            "cup:/standings/*/player/max",
            "invalid value \"max\" for step of the path \"cup:/standings/*/player/max\": expected a step after a path to numbers",
        );
    }

    #[test]
    fn errors_in_paths() {
        check(
            "cup:/standing",
            "invalid value \"standing\" for step of the path \"cup:/standing\": expected a key of the object; did you mean \"standings\"?",
        );
        check(
            "cup:/standings/5/x",
            "invalid value \"5\" for step of the path \"cup:/standings/5/x\": expected one of the 2 items of the list",
        );
        check("later:/x", "not run");
        check(
            "cop:/x",
            "invalid value \"cop\" for run of the path \"cop:/x\": expected a run of the study; did you mean \"cup\"?",
        );
    }

    #[test]
    fn summaries_of_lists() {
        let short = |value: Value| OutputValue(value).summary(Some(1));
        assert_eq!(short(json!([3, 1, 2.25])), "2.2, from 1.0 to 3.0 in 3");
        assert_eq!(short(json!([3])), "3.0");
        assert_eq!(short(json!("x")), "x");
    }

    #[test]
    fn all_runs_with_a_prefix() {
        check("m-*:/x", "1/2/10");
        check("m-*:/x/+", "13");
    }
}
