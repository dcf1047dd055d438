//! Errors as HTTP responses: a status and a text that contains no paths of the server.

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

/// An error that [`as_page`] renders as a page or as JSON.
#[derive(Clone, Debug)]
pub(crate) struct HttpError {
    pub(crate) status: StatusCode,
    /// What is wrong, where that is more than the status says.
    pub(crate) detail: Option<String>,
}

impl HttpError {
    pub(crate) fn new(status: StatusCode) -> HttpError {
        HttpError { status, detail: None }
    }

    /// 400: a part of the request is invalid.
    pub(crate) fn bad_request(detail: impl Into<String>) -> HttpError {
        HttpError { status: StatusCode::BAD_REQUEST, detail: Some(detail.into()) }
    }

    pub(crate) fn not_found() -> HttpError {
        HttpError::new(StatusCode::NOT_FOUND)
    }

    /// 503: too many searches, streams or processes.
    pub(crate) fn busy() -> HttpError {
        HttpError::new(StatusCode::SERVICE_UNAVAILABLE)
    }

    /// 500, without the cause: that may name files of the server.
    pub(crate) fn internal_error() -> HttpError {
        HttpError::new(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl From<InputError> for HttpError {
    fn from(bad: InputError) -> HttpError {
        HttpError::bad_request(bad.to_string())
    }
}

/// Without the path of the store.
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

/// Extension of an error response that is already a page: a form that shows the error and the submitted values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RenderedError;

/// Puts the error into the extensions for [`as_page`], which knows the viewer's language.
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

/// Renders errors, including those of the libraries, as pages in the viewer's language, or as JSON.
pub(crate) async fn as_page(State(app): State<App>, request: Request, next: Next) -> Response {
    let mut viewer = Viewer::of(request.headers(), request.uri());
    if request.method() != Method::GET {
        // The response to a POST cannot be loaded again, so the language and theme buttons lead to the home page.
        viewer.path = "/".to_owned();
    }
    let wants_page = !viewer.wants_json;
    let response = next.run(request).await;
    let status = response.status();
    let is_page = response.extensions().get::<RenderedError>().is_some();
    if is_page || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    // The body of a library's error response is dropped: it may contain internals.
    let error = response.extensions().get::<HttpError>().cloned().unwrap_or_else(|| HttpError::new(status));
    let mut page = if wants_page {
        let (title, words) = message(viewer.language, status);
        let frame = viewer.frame(&app, "");
        let page = Page { frame, status: status.as_u16(), title, words, detail: error.detail };
        match page.render() {
            Ok(page) => (status, Html(page)).into_response(),
            Err(_) => status.into_response(),
        }
    } else {
        let text = error.detail.unwrap_or_else(|| message(viewer.language, status).0.to_owned());
        (status, axum::Json(serde_json::json!({ "error": text, "status": status.as_u16() }))).into_response()
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
fn message(language: Language, status: StatusCode) -> (&'static str, &'static str) {
    let [english, spanish] = match status.as_u16() {
        400 | 414 | 415 | 422 => [
            ("Invalid request", "A value in the address or the form is not valid."),
            ("Petición no válida", "Un valor de la dirección o del formulario no es válido."),
        ],
        401 => [
            ("Token required", "This server requires a token. Ask the person who runs the server."),
            ("Hace falta una clave", "Este servidor pide una clave. Pregunta a quien lo administra."),
        ],
        403 => [
            (
                "Not allowed",
                "The request did not come from a page of this server, or this server does not allow it.",
            ),
            (
                "No permitido",
                "La petición no viene de una página de este servidor, o este servidor no la permite.",
            ),
        ],
        404 => [
            ("Not found", "There is no such page, run, game or player."),
            ("No encontrado", "No existe esa página, ejecución, partida o jugador."),
        ],
        405 => [
            ("Method not allowed", "This address does not accept this kind of request."),
            ("Método no permitido", "Esta dirección no acepta este tipo de petición."),
        ],
        408 | 504 => {
            [("Timeout", "The request took too long."), ("Tiempo agotado", "La petición tardó demasiado.")]
        }
        409 => [
            ("Conflict", "The run is in use by another process, or it is already finished."),
            ("Conflicto", "Otro proceso está usando la ejecución, o ya ha terminado."),
        ],
        413 | 431 => [
            ("Too large", "The request is larger than this server accepts."),
            ("Demasiado grande", "La petición es mayor de lo que este servidor acepta."),
        ],
        429 => [
            ("Too many requests", "Your address sent too many requests. Try again in a moment."),
            (
                "Demasiadas peticiones",
                "Llegaron demasiadas peticiones desde tu dirección. Prueba dentro de un momento.",
            ),
        ],
        503 => [
            ("Busy", "The server is busy. Try again in a moment."),
            ("Ocupado", "El servidor está ocupado. Prueba dentro de un momento."),
        ],
        _ => [
            ("Internal error", "The server could not answer the request. Stored data is not affected."),
            ("Error interno", "El servidor no pudo responder. Los datos guardados no se ven afectados."),
        ],
    };
    if language == Language::Spanish { spanish } else { english }
}
