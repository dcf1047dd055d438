//! An event: a form, the plan it stands for, and the start.

use super::plan::{PlanError, WebResolver};
use super::tune::{number, sample, suggested_games, suggested_players};
use super::{PlanForm, complaint, form_again, launch, may_start};
use crate::app::App;
use crate::http_error::HttpError;
use crate::pages::{PageFrame, html};
use crate::viewer::Viewer;
use askama::Template;
use axum::extract::{Form, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use palestra_core::InputError;
use palestra_review::event::{EventOptions, new_event};
use palestra_store::{EVENT, NewRun, Run, Store, StoreError};
use palestra_tournament::formats::FORMATS;

/// What the form asks for, as it was typed.
#[derive(Clone, Default, serde::Deserialize)]
#[serde(default)]
pub(super) struct EventForm {
    game: String,
    format: String,
    players: String,
    staff: String,
    cycles: String,
    rounds: String,
    #[serde(rename = "opening-plies")]
    opening_plies: String,
    seed: String,
    name: String,
    /// Whether the plan is asked for, and not only the form.
    show: Option<String>,
}

#[derive(Template)]
#[template(path = "work_event.html")]
struct Page {
    frame: PageFrame,
    words: EventForm,
    games: Vec<(String, String)>,
    /// Name, what it does, whether it is chosen.
    formats: Vec<(&'static str, &'static str, bool)>,
    players: Vec<String>,
    plan: Option<String>,
    complaint: Option<String>,
}

pub(super) async fn show(
    State(app): State<App>,
    visitor: Viewer,
    Query(words): Query<EventForm>,
) -> Result<Response, HttpError> {
    let frame = visitor.frame(&app, "event");
    let shown = app.clone();
    app.run_with_permit(move || {
        let names = WebResolver::of(&shown)?;
        let plan = words.show.is_some().then(|| written(&names, &words));
        match plan {
            None => Ok(html(&page(frame, words, &names, None, None))?.into_response()),
            Some(Ok(plan)) => Ok(html(&page(frame, words, &names, Some(plan), None))?.into_response()),
            Some(Err(wrong)) => refused(frame, words, &names, None, &wrong),
        }
    })
    .await
}

pub(super) async fn begin(
    State(app): State<App>,
    visitor: Viewer,
    Form(sent): Form<PlanForm>,
) -> Result<Response, HttpError> {
    may_start(&app)?;
    let frame = visitor.frame(&app, "event");
    let (shown, text) = (app.clone(), sent.plan.clone());
    let (read, names) =
        app.run_with_permit(move || WebResolver::of(&shown).map(|names| (names.event(&text), names))).await?;
    let written = match read {
        Err(wrong) => Err(wrong),
        Ok((plan, field)) => {
            let new = new_event(&plan, &field);
            app.stores.write(move |store| begin_event(store, &new)).await?
        }
    };
    match written {
        Ok(run) => launch(&app, &run),
        Err(wrong) => refused(frame, EventForm::default(), &names, Some(sent.plan), &wrong),
    }
}

/// The event as the store knows it; one that has the same name and another plan stays as it is.
fn begin_event(store: &mut Store, new: &NewRun) -> Result<Result<Run, PlanError>, HttpError> {
    match store.run(&new.stem) {
        Ok(run) if run.kind != EVENT || run.plan != new.plan => {
            Ok(Err(PlanError::NameTaken(new.stem.clone())))
        }
        Ok(_) | Err(StoreError::NoRun { .. }) => match store.find_or_begin_event(new) {
            Ok((run, _)) => Ok(Ok(run)),
            Err(StoreError::BadName { name, .. }) => {
                let expected = "a letter, and then letters, digits, - _ and . (at most 100)";
                Ok(Err(InputError::new("name", name, expected).into()))
            }
            Err(error) => Err(error.into()),
        },
        Err(error) => Err(error.into()),
    }
}

/// The plan that the form stands for, as the file.
fn written(names: &WebResolver, words: &EventForm) -> Result<String, PlanError> {
    let (plan, _) = names.event(&draft(words)?.text(names.catalog)?)?;
    Ok(plan.to_string())
}

/// What the form says, as a draft.
fn draft(words: &EventForm) -> Result<EventOptions, InputError> {
    let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let listed = |text: &str, staff: bool| -> Vec<(Option<String>, String, bool)> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines
            .map(EventOptions::entrant)
            .map(|(name, player)| (name.map(str::to_owned), player.to_owned(), staff))
            .collect()
    };
    Ok(EventOptions {
        game: words.game.trim().to_owned(),
        format: given(&words.format),
        name: given(&words.name),
        seed: number("seed", &words.seed)?.unwrap_or(1).into(),
        rounds: number("rounds", &words.rounds)?,
        cycles: number("cycles", &words.cycles)?,
        opening_plies: number("opening-plies", &words.opening_plies)?,
        points: None,
        budget: None,
        players: [listed(&words.players, false), listed(&words.staff, true)].concat(),
        folder: None,
    })
}

/// The form with what is wrong.
fn refused(
    frame: PageFrame,
    words: EventForm,
    names: &WebResolver,
    plan: Option<String>,
    wrong: &PlanError,
) -> Result<Response, HttpError> {
    let (status, text): (StatusCode, String) = complaint(frame.language, wrong);
    Ok(form_again(status, html(&page(frame, words, names, plan, Some(text)))?))
}

fn page(
    frame: PageFrame,
    mut words: EventForm,
    names: &WebResolver,
    plan: Option<String>,
    complaint: Option<String>,
) -> Page {
    let usual = [(&mut words.game, "connect4"), (&mut words.format, "round-robin"), (&mut words.seed, "1")];
    for (word, usual) in usual {
        if word.trim().is_empty() {
            usual.clone_into(word);
        }
    }
    if words.show.is_none() && plan.is_none() && words.opening_plies.is_empty() {
        "4".clone_into(&mut words.opening_plies);
    }
    let players = suggested_players(names, &sample(names, words.game.trim()));
    if words.show.is_none() && words.players.is_empty() {
        words.players = players
            .iter()
            .take(1)
            .chain(players.iter().skip(3).take(2))
            .cloned()
            .collect::<Vec<_>>()
            .join("\n");
    }
    let formats = FORMATS.iter().map(|info| (info.name, info.about, info.name == words.format)).collect();
    Page { games: suggested_games(names), formats, players, frame, words, plan, complaint }
}
