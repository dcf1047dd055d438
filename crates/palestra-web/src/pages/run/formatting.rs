//! Formatting that pages share: states of runs, durations, URLs and progress.

use crate::url::encoded;
use crate::viewer::Language;
use palestra_review::grouped;
use palestra_review::live::LiveStatus;
use palestra_store::{EVENT, RunState, Store};

/// The name of a state.
pub(crate) fn state(language: Language, state: RunState) -> &'static str {
    match state {
        RunState::Running => language.pick("running", "en marcha"),
        RunState::Interrupted => language.pick("interrupted", "interrumpida"),
        RunState::Done => language.pick("done", "terminada"),
        RunState::Failed => language.pick("failed", "fallida"),
    }
}

/// A duration in its largest suitable unit: `3 minutes`.
pub(crate) fn duration(language: Language, seconds: f64) -> String {
    let (value, one, many) = match seconds {
        s if s < 1.0 => return language.pick("less than a second", "menos de un segundo").to_owned(),
        s if s < 120.0 => (s.round(), ["second", "segundo"], ["seconds", "segundos"]),
        s if s < 7200.0 => ((s / 60.0).round(), ["minute", "minuto"], ["minutes", "minutos"]),
        s if s < 172_800.0 => ((s / 3600.0).round(), ["hour", "hora"], ["hours", "horas"]),
        s => ((s / 86_400.0).round(), ["day", "día"], ["days", "días"]),
    };
    let [english, spanish] = if value == 1.0 { one } else { many };
    format!("{value} {}", language.pick(english, spanish))
}

/// A number of games: `1,234 games`.
pub(crate) fn games(language: Language, n: u64) -> String {
    let word = match n {
        1 => language.pick("game", "partida"),
        _ => language.pick("games", "partidas"),
    };
    format!("{} {word}", grouped(n))
}

/// A time of the store (RFC 3339, UTC) without its seconds: `2026-03-01 12:30`.
pub(crate) fn timestamp(text: &str) -> String {
    text.chars().take(16).map(|c| if c == 'T' { ' ' } else { c }).collect()
}

/// The URL of a run or an event.
pub(crate) fn address(kind: &str, name: &str) -> String {
    let place = if kind == EVENT { "event" } else { "run" };
    format!("/{place}/{}", encoded(name))
}

/// The URL to play against an opponent.
pub(crate) fn play_address(game: &str, opponent: &str) -> String {
    format!("/play?game={}&opponent={}", encoded(game), encoded(opponent))
}

/// Progress of a run.
pub(crate) struct RunProgressBar {
    /// Finished share from 0 to 1; `None` where the total is unknown.
    pub(crate) share: Option<String>,
    /// Progress in words.
    pub(crate) words: String,
}

impl RunProgressBar {
    /// The last reported progress of a running run.
    pub(crate) fn of(
        store: &Store,
        run: palestra_store::RunId,
        language: Language,
    ) -> Option<RunProgressBar> {
        let live = store.live_status(run).ok()??;
        LiveStatus::read(&live.what).map(|status| RunProgressBar::from_status(&status, language))
    }

    fn from_status(status: &LiveStatus, language: Language) -> RunProgressBar {
        let mut parts = Vec::new();
        if status.phase == LiveStatus::TESTING {
            parts.push(
                language
                    .pick(
                        "testing the champion on openings never used in training",
                        "probando al campeón con aperturas no usadas al entrenar",
                    )
                    .to_owned(),
            );
        }
        if let Some(share) = status.share() {
            parts.push(format!("{:.0} %", 100.0 * share));
        }
        parts.push(match status.of {
            Some(of) => format!(
                "{} {} {}",
                grouped(status.done),
                language.pick("of about", "de unas"),
                games(language, of)
            ),
            None => games(language, status.done),
        });
        if let Some(generation) = status.generation {
            let of = status.generations.map(|n| format!(" {} {n}", language.pick("of", "de")));
            parts.push(format!(
                "{} {}{}",
                language.pick("generation", "generación"),
                generation + 1,
                of.unwrap_or_default()
            ));
        }
        if let Some(left) = status.seconds_left() {
            let left = duration(language, left);
            parts.push(language.pick(format!("{left} left"), format!("quedan {left}")));
        }
        RunProgressBar { share: status.share().map(|share| format!("{share:.4}")), words: parts.join(" · ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_reads_well() {
        let check = |status: &LiveStatus, english: &str, spanish: &str| {
            assert_eq!(RunProgressBar::from_status(status, Language::English).words, english);
            assert_eq!(RunProgressBar::from_status(status, Language::Spanish).words, spanish);
        };
        let training = LiveStatus {
            done: 2500,
            of: Some(10_000),
            elapsed: 60.0,
            phase: LiveStatus::TRAINING.into(),
            generation: Some(4),
            generations: Some(20),
            ..LiveStatus::default()
        };
        check(
            &training,
            "25 % · 2,500 of about 10,000 games · generation 5 of 20 · 3 minutes left",
            "25 % · 2,500 de unas 10,000 partidas · generación 5 de 20 · quedan 3 minutos",
        );
        let testing = LiveStatus { done: 1, phase: LiveStatus::TESTING.into(), ..LiveStatus::default() };
        check(
            &testing,
            "testing the champion on openings never used in training · 1 game",
            "probando al campeón con aperturas no usadas al entrenar · 1 partida",
        );
    }

    #[test]
    fn times_and_addresses() {
        let check = |seconds: f64, english: &str, spanish: &str| {
            let found = Language::ALL.map(|language| duration(language, seconds));
            assert_eq!(found, [english, spanish]);
        };
        check(0.2, "less than a second", "menos de un segundo");
        check(1.0, "1 second", "1 segundo");
        check(119.0, "119 seconds", "119 segundos");
        check(7000.0, "117 minutes", "117 minutos");
        check(90_000.0, "25 hours", "25 horas");
        check(864_000.0, "10 days", "10 días");
        assert_eq!(timestamp("2026-03-01T12:30:59Z"), "2026-03-01 12:30");
        assert_eq!(address(EVENT, "a b/c"), "/event/a%20b%2Fc");
        assert_eq!(
            play_address("connect:7x6x4", "@ñ<>"),
            "/play?game=connect%3A7x6x4&opponent=%40%C3%B1%3C%3E"
        );
    }
}
