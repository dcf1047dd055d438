//! What a visitor is told when something cannot be done: a status, and words that name no place of the machine.

use crate::app::App;
use crate::pages::PageFrame;
use crate::viewer::{Language, Viewer};
use askama::Template;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use palestra_core::InputError;
use palestra_store::StoreError;

/// A refusal, on its way to becoming a page.
#[derive(Clone, Debug)]
pub(crate) struct HttpError {
    pub(crate) status: StatusCode,
    /// What was wrong exactly, where there is more to say than the status does.
    pub(crate) detail: Option<String>,
}

impl HttpError {
    pub(crate) fn new(status: StatusCode) -> HttpError {
        HttpError { status, detail: None }
    }

    /// Something in the request is wrong.
    pub(crate) fn bad_request(detail: impl Into<String>) -> HttpError {
        HttpError { status: StatusCode::BAD_REQUEST, detail: Some(detail.into()) }
    }

    pub(crate) fn not_found() -> HttpError {
        HttpError::new(StatusCode::NOT_FOUND)
    }

    /// Too many want the same thing.
    pub(crate) fn busy() -> HttpError {
        HttpError::new(StatusCode::SERVICE_UNAVAILABLE)
    }

    /// Our own fault; its reason stays here.
    pub(crate) fn internal_error() -> HttpError {
        HttpError::new(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl From<InputError> for HttpError {
    fn from(bad: InputError) -> HttpError {
        HttpError::bad_request(bad.to_string())
    }
}

/// Where the store lies is nobody's business.
impl From<StoreError> for HttpError {
    fn from(error: StoreError) -> HttpError {
        match error {
            StoreError::NoRun { .. }
            | StoreError::NoChampion { .. }
            | StoreError::NoGame { .. }
            | StoreError::NoEventGame { .. }
            | StoreError::Missing { .. } => HttpError::not_found(),
            StoreError::InUse { .. } | StoreError::NameTaken { .. } | StoreError::Finished { .. } => {
                HttpError::new(StatusCode::CONFLICT)
            }
            StoreError::BadName { name, .. } => HttpError::bad_request(name),
            StoreError::Busy { .. } => HttpError::busy(),
            _ => HttpError::internal_error(),
        }
    }
}

/// Put into the extensions of a refusal that is a page of its own: a form with the complaint beside what was typed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RenderedError;

/// Carries the refusal out to [`as_page`], which knows the visitor.
impl IntoResponse for HttpError {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

#[derive(Template)]
#[template(path = "refusal.html")]
struct Page {
    frame: PageFrame,
    status: u16,
    title: &'static str,
    words: &'static str,
    detail: Option<String>,
}

/// Turns refusals, our own and those of the libraries, into pages in the visitor's language.
pub(crate) async fn as_page(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut visitor = Viewer::of(request.headers(), request.uri());
    if request.method() != Method::GET {
        // Nobody can come back to a form that was sent.
        visitor.path = "/".to_owned();
    }
    let wants_page = !visitor.wants_json;
    let response = next.run(request).await;
    let status = response.status();
    let is_page = response.extensions().get::<RenderedError>().is_some();
    if is_page || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    // Whatever a library had to say may name things that are nobody's business.
    let refusal = response.extensions().get::<HttpError>().cloned().unwrap_or_else(|| HttpError::new(status));
    let mut page = if wants_page {
        let (title, words) = words(visitor.language, status);
        let frame = visitor.frame(&app, "");
        let page = Page { frame, status: status.as_u16(), title, words, detail: refusal.detail };
        match page.render() {
            Ok(page) => (status, Html(page)).into_response(),
            Err(_) => status.into_response(),
        }
    } else {
        let error = refusal.detail.unwrap_or_else(|| words(visitor.language, status).0.to_owned());
        (status, axum::Json(serde_json::json!({ "error": error, "status": status.as_u16() }))).into_response()
    };
    if matches!(status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
        page.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("2"));
    }
    for name in [header::ALLOW, header::SET_COOKIE, header::WWW_AUTHENTICATE] {
        if let Some(value) = response.headers().get(&name) {
            page.headers_mut().insert(name, value.clone());
        }
    }
    page
}

/// A title and a sentence for a status.
fn words(language: Language, status: StatusCode) -> (&'static str, &'static str) {
    let [english, spanish] = match status.as_u16() {
        400 | 414 | 415 | 422 => [
            ("This cannot be read", "Something in the address or the form is not as expected."),
            ("No se entiende", "Algo en la dirección o en el formulario no es lo esperado."),
        ],
        401 => [
            ("Who are you?", "This server asks for a token. Whoever started it knows it."),
            ("¿Quién eres?", "Este servidor pide una clave. La sabe quien lo puso en marcha."),
        ],
        403 => [
            (
                "Not allowed",
                "This request did not come from a page of this server, or asks for what was not allowed.",
            ),
            (
                "No permitido",
                "La petición no viene de una página de este servidor, o pide algo no permitido.",
            ),
        ],
        404 => [
            ("There is nothing here", "No such page, run, game or player."),
            ("Aquí no hay nada", "No existe esa página, ejecución, partida o jugador."),
        ],
        405 => [
            ("Not this way", "This address does not take such a request."),
            ("Así no", "Esta dirección no acepta este tipo de petición."),
        ],
        408 | 504 => [
            ("It took too long", "The answer did not come in time."),
            ("Tardó demasiado", "La respuesta no llegó a tiempo."),
        ],
        409 => [
            ("Not now", "Something else is going on with it, or it is over already."),
            ("Ahora no", "Alguien está trabajando en ello, o ya ha terminado."),
        ],
        413 | 431 => [
            ("Too large", "The request is larger than this server takes."),
            ("Demasiado grande", "La petición es mayor de lo que este servidor acepta."),
        ],
        429 => [
            ("Too fast", "Too many requests came from your address. Try again in a moment."),
            (
                "Demasiado rápido",
                "Llegan demasiadas peticiones desde tu dirección. Prueba dentro de un momento.",
            ),
        ],
        503 => [
            ("Busy", "Too much is going on. Try again in a moment."),
            ("Ocupado", "Hay demasiado trabajo. Prueba dentro de un momento."),
        ],
        _ => [
            ("Something broke", "That is our fault. Nothing was lost."),
            ("Algo falló", "Es culpa nuestra. No se ha perdido nada."),
        ],
    };
    if language == Language::Spanish { spanish } else { english }
}
