//! Tests of the pages of studies.

use crate::{App, Config};
use axum::body::{Body, to_bytes};
use axum::http::Request;
use palestra_study::{Study, StudyFiles, StudyScale, StudyWorkspace, shipped};
use serde_json::json;
use std::path::Path;
use tower::ServiceExt;

/// The folder of one test, removed with it.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("palestra-web-study-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

async fn ask(root: &Path, address: &str) -> (u16, String) {
    let mut config = Config::new(&palestra_registry::GAMES, root.join("store.db"));
    config.studies = root.to_owned();
    let request = Request::builder().uri(address).header("host", "localhost").body(Body::empty()).unwrap();
    let response = App::new(config).router().oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    let bytes = to_bytes(response.into_body(), 1 << 24).await.unwrap();
    (status, String::from_utf8_lossy(&bytes).into_owned())
}

#[tokio::test]
async fn every_study_is_on_the_list() {
    let folder = Folder::new("list");
    let (status, page) = ask(&folder.0, "/studies").await;
    assert_eq!(status, 200);
    for name in shipped() {
        assert!(page.contains(&format!("href=\"/study/{name}\"")), "{name}");
        let (status, page) = ask(&folder.0, &format!("/study/{name}")).await;
        assert!(status == 200 && page.contains(&format!("palestra study run {name}")), "{name}");
    }
    let (_, home) = ask(&folder.0, "/").await;
    assert!(home.contains("href=\"/studies\""));
}

#[tokio::test]
async fn a_study_in_progress_shows_its_results() {
    let folder = Folder::new("begun");
    let name = &shipped()[0];
    let source = StudyFiles::shipped(name).unwrap();
    let study = Study::read(&source, name).unwrap();
    let title = study.title.clone();
    let mut workspace = StudyWorkspace::open(&folder.0, study, source, StudyScale::Quick, None).unwrap();
    let job = workspace.jobs().unwrap().swap_remove(0);
    let words = workspace.words(&job).unwrap();
    workspace.keep(&job.id, words, json!({}), 1.5, Some(2.0)).unwrap();
    let (status, page) = ask(&folder.0, &format!("/study/{name}")).await;
    assert_eq!(status, 200);
    assert!(page.contains(&format!("<h1>{title}</h1>")) && page.contains("id=\"times\""), "{page:.2000}");
    assert!(page.contains("What was run") && page.contains("1.5 s"));
    let (_, list) = ask(&folder.0, "/studies").await;
    assert!(list.contains(&format!("href=\"/study/{name}?size=quick\"")));
}

#[tokio::test]
async fn unknown_studies_and_figures_are_refused() {
    let folder = Folder::new("refused");
    let name = &shipped()[0];
    for (address, status) in [
        ("/study/nothing".to_owned(), 404),
        ("/study/..%2F..".to_owned(), 404),
        (format!("/study/{name}?size=huge"), 400),
        (format!("/study/{name}/figure/nothing.svg"), 404),
        (format!("/study/{name}/figure/nothing"), 404),
    ] {
        assert_eq!(ask(&folder.0, &address).await.0, status, "{address}");
    }
}
