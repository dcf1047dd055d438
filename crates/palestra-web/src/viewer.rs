//! A viewer's preferences: language, theme, and HTML or JSON.

use crate::app::App;
use crate::pages::{PageFrame, PageOutput, study};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Uri, header};
use palestra_core::InputError;
use palestra_review::tuning::Translate;
use std::convert::Infallible;
use std::str::FromStr;

/// A language of the page.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Language {
    /// English, the default.
    #[default]
    English,
    /// Spanish.
    Spanish,
}

impl Language {
    pub(crate) const ALL: [Language; 2] = [Language::English, Language::Spanish];

    /// ISO 639 code: `en`.
    pub(crate) fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Spanish => "es",
        }
    }

    /// The function that picks texts of this language, as `palestra-review` takes it.
    pub fn translate(self) -> Translate {
        match self {
            Language::English => |english, _| english,
            Language::Spanish => |_, spanish| spanish,
        }
    }

    /// Its own name: `Español`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::Spanish => "Español",
        }
    }

    /// The text in this language.
    pub(crate) fn pick<T>(self, english: T, spanish: T) -> T {
        match self {
            Language::English => english,
            Language::Spanish => spanish,
        }
    }

    /// The language of a code such as `es-AR`.
    fn of_code(code: &str) -> Option<Language> {
        let primary = code.trim().split('-').next()?;
        Language::ALL.into_iter().find(|language| language.code().eq_ignore_ascii_case(primary))
    }

    /// The available language that an `Accept-Language` header prefers.
    fn accepted(header: &str) -> Option<Language> {
        let mut best: Option<(f32, Language)> = None;
        for part in header.split(',') {
            let mut fields = part.split(';');
            let language = fields.next().and_then(Language::of_code);
            let quality = fields
                .find_map(|field| field.trim().strip_prefix("q="))
                .map_or(Some(1.0), |q| q.parse().ok());
            if let (Some(language), Some(quality)) = (language, quality)
                && quality > 0.0
                && best.is_none_or(|(known, _)| quality > known)
            {
                best = Some((quality, language));
            }
        }
        best.map(|(_, language)| language)
    }
}

impl FromStr for Language {
    type Err = InputError;

    fn from_str(code: &str) -> Result<Language, InputError> {
        Language::of_code(code).ok_or_else(|| InputError::new("language", code, "en or es"))
    }
}

/// Color scheme.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) enum Theme {
    /// The setting of the device.
    #[default]
    Auto,
    Light,
    Dark,
}

impl Theme {
    pub(crate) const ALL: [Theme; 3] = [Theme::Auto, Theme::Light, Theme::Dark];

    pub(crate) fn code(self) -> &'static str {
        match self {
            Theme::Auto => "auto",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    pub(crate) fn of_code(code: &str) -> Option<Theme> {
        Theme::ALL.into_iter().find(|theme| theme.code() == code)
    }
}

/// Preferences of the viewer that sent a request.
#[derive(Clone, Debug)]
pub(crate) struct Viewer {
    pub(crate) language: Language,
    pub(crate) theme: Theme,
    /// Whether the client is a script, which accepts JSON and not HTML.
    pub(crate) wants_json: bool,
    /// Path and query of the request.
    pub(crate) path: String,
}

pub(crate) const LANGUAGE_COOKIE: &str = "palestra-language";
pub(crate) const THEME_COOKIE: &str = "palestra-theme";

impl Viewer {
    pub(crate) fn of(headers: &HeaderMap, uri: &Uri) -> Viewer {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let chosen = cookie(headers, LANGUAGE_COOKIE).and_then(Language::of_code);
        let language =
            chosen.or_else(|| Language::accepted(text(header::ACCEPT_LANGUAGE))).unwrap_or_default();
        let theme = cookie(headers, THEME_COOKIE).and_then(Theme::of_code).unwrap_or_default();
        let accept = text(header::ACCEPT);
        let wants_json = accept.contains("application/json") && !accept.contains("text/html");
        let path = uri.path_and_query().map_or("/", |path| path.as_str()).to_owned();
        Viewer { language, theme, wants_json, path }
    }

    /// The frame of a page; `place` is the part of the site it belongs to ([`PageFrame::place`]).
    pub(crate) fn frame(&self, app: &App, place: &'static str) -> PageFrame {
        PageFrame {
            language: self.language,
            theme: self.theme,
            path: self.path.clone(),
            place,
            live: None,
            may_work: app.processes.is_possible(),
            has_studies: !study::names(app.config.catalog).is_empty(),
            has_token: app.config.token.is_some(),
            output: PageOutput::Served,
        }
    }
}

impl FromRequestParts<App> for Viewer {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _app: &App) -> Result<Viewer, Infallible> {
        Ok(Viewer::of(&parts.headers, &parts.uri))
    }
}

/// The value of a cookie.
pub(crate) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).into_iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';'));
    pairs
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(known, _)| *known == name)
        .map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_preferred_language_is_chosen() {
        let cases = [
            ("", None),
            ("fr", None),
            ("es", Some(Language::Spanish)),
            ("es-AR,es;q=0.9,en;q=0.8", Some(Language::Spanish)),
            ("en;q=0.3, ES-ES;q=0.4", Some(Language::Spanish)),
            ("de, en;q=0.5, es;q=0.2", Some(Language::English)),
            ("es;q=0, en;q=0.1", Some(Language::English)),
            ("es;q=x", None),
        ];
        for (header, expected) in cases {
            assert_eq!(Language::accepted(header), expected, "{header}");
        }
    }
}
