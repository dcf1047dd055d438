//! Static files, served under names with a hash of their contents, so that browsers may cache them for a year.

use crate::app::App;
use crate::http_error::HttpError;
use axum::Router;
use axum::extract::Path;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use rust_embed::RustEmbed;
use std::collections::BTreeMap;
use std::sync::LazyLock;

#[derive(RustEmbed)]
#[folder = "assets"]
struct Files;

/// A file as it is served.
struct Asset {
    kind: &'static str,
    bytes: Vec<u8>,
}

/// Files by the name they are served under, and that name by the plain one.
struct AssetIndex {
    by_hashed: BTreeMap<String, Asset>,
    hashed: BTreeMap<String, String>,
}

/// The style sheet of boards; it belongs to the drawing code of `palestra-core` and is not a file of this crate.
const BOARD_STYLE: &str = "board.css";

static ASSETS: LazyLock<AssetIndex> = LazyLock::new(|| {
    let mut files: Vec<(String, Vec<u8>)> = Files::iter()
        .filter_map(|name| Some((name.to_string(), Files::get(&name)?.data.into_owned())))
        .collect();
    files.push((BOARD_STYLE.to_owned(), palestra_core::board_style().as_bytes().to_vec()));
    // A module contains the hashed names of the modules it imports, so the imported ones are hashed first.
    files.sort_by_key(|(name, _)| rank(name));
    let mut index = AssetIndex { by_hashed: BTreeMap::new(), hashed: BTreeMap::new() };
    for (name, bytes) in files {
        let bytes = match String::from_utf8(bytes) {
            Ok(text) => index.with_hashed_imports(&text).into_bytes(),
            Err(other) => other.into_bytes(),
        };
        let hash = blake3::hash(&bytes).to_hex();
        let (stem, extension) = name.rsplit_once('.').unwrap_or((&name, ""));
        let hashed = format!("{stem}.{}.{extension}", &hash[..16]);
        index.by_hashed.insert(hashed.clone(), Asset { kind: kind(extension), bytes });
        index.hashed.insert(name, hashed);
    }
    index
});

/// Sort key: imported modules, which are in `lib/`, come first.
fn rank(name: &str) -> (bool, String) {
    (!name.starts_with("lib/"), name.to_owned())
}

fn kind(extension: &str) -> &'static str {
    match extension {
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        _ => "application/octet-stream",
    }
}

impl AssetIndex {
    /// `text` with every `/assets/NAME` replaced by the name it is served under.
    fn with_hashed_imports(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (name, hashed) in &self.hashed {
            text = text.replace(&format!("/assets/{name}"), &format!("/assets/{hashed}"));
        }
        text
    }
}

/// The URL of a file: `/assets/page.0123456789abcdef.css`. Panics where the file does not exist.
pub(crate) fn address(name: &str) -> String {
    let hashed = ASSETS.hashed.get(name).unwrap_or_else(|| panic!("there is no file {name}"));
    format!("/assets/{hashed}")
}

/// The bytes of a file by the name that it is served under.
pub(crate) fn bytes(hashed: &str) -> Option<&'static [u8]> {
    ASSETS.by_hashed.get(hashed).map(|asset| asset.bytes.as_slice())
}

/// The text of a style sheet. Panics where the file does not exist.
pub(crate) fn text(name: &str) -> &'static str {
    let asset = ASSETS.hashed.get(name).and_then(|hashed| ASSETS.by_hashed.get(hashed));
    let bytes = &asset.unwrap_or_else(|| panic!("there is no file {name}")).bytes;
    std::str::from_utf8(bytes).expect("style sheets are text")
}

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/assets/{*name}", get(serve))
}

async fn serve(Path(name): Path<String>) -> Result<impl IntoResponse, HttpError> {
    let asset = ASSETS.by_hashed.get(&name).ok_or_else(HttpError::not_found)?;
    let headers =
        [(header::CONTENT_TYPE, asset.kind), (header::CACHE_CONTROL, "public, max-age=31536000, immutable")];
    Ok((headers, asset.bytes.as_slice()))
}
