//! Runs and events are started from plans, stopped and resumed, and no plan starts a program without permission.

use crate::config::Config;
use crate::hostile::{CUP, TUNING, TestResponse, TestSite, encoded};
use palestra_core::InputError;
use palestra_settings::Document;
use palestra_store::{NewRun, RunState};
use palestra_tune::methods::MethodInfo;
use palestra_tune::{Optimizer, OptimizerSetup, RequestSizes};
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

/// A method that is a program, like the one of the binary.
static EXTERNAL: &[MethodInfo] = &[MethodInfo {
    name: "external",
    about: "a program",
    settings: &[],
    open,
    sizes: |_, _| Ok(RequestSizes::unknown()),
}];

fn open(_: &OptimizerSetup, _: &Document) -> Result<Box<dyn Optimizer>, InputError> {
    Err(InputError::new("method", "external", "a method that these tests open"))
}

/// A site whose program is a script.
fn site(script: &str, change: impl FnOnce(&mut Config)) -> TestSite {
    TestSite::new(|config| {
        let program = config.store.with_file_name("program");
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        config.program = Some(program);
        config.methods = EXTERNAL;
        change(config);
    })
    .with_samples()
}

/// Runs until its standard input ends or it is interrupted.
const WAITS: &str = "trap 'exit 130' INT; exec 3<&0; cat <&3 >/dev/null 2>&1 & wait; exit 130";

async fn send(site: &TestSite, path: &str, plan: &str) -> TestResponse {
    site.post(path, &format!("plan={}", encoded(plan))).await
}

fn select(page: &str, selector: &str) -> Vec<String> {
    let page = scraper::Html::parse_document(page);
    let selector = scraper::Selector::parse(selector).unwrap();
    page.select(&selector).map(|element| element.text().collect::<String>()).collect()
}

async fn wait_until(condition: impl Fn() -> bool) {
    let began = Instant::now();
    while !condition() {
        assert!(began.elapsed() < Duration::from_secs(20), "timeout");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn the_form_shows_the_plan_as_the_file() {
    let site = site("exit 0", |_| {});
    let page = site.get("/tune").await;
    assert_eq!(page.status, 200);
    assert!(select(&page.body, "select#method option").len() >= 9);
    assert!(!page.body.contains("value=\"external\""));
    assert!(select(&page.body, "textarea.plan").is_empty());
    let path = "/tune?game=connect:4x4x3&features=lines&method=ga&budget=3gen&opening_plies=2&seed=7&opponents=random%0D%0Afirst&show=1";
    let page = site.get(path).await;
    let plans = select(&page.body, "textarea.plan");
    assert_eq!((page.status, plans.len()), (200, 1), "{}", page.body);
    for line in
        ["boards = [\"connect:4x4x3\"]", "seed = 7", "generations = 3", "opponents = [\"random\", \"first\"]"]
    {
        assert!(plans[0].contains(line), "{line} in {}", plans[0]);
    }
    // The plan that is shown is accepted unchanged.
    let answer = send(&site, "/tune", &plans[0]).await;
    assert_eq!(
        (answer.status, answer.header("location")),
        (303, "/run/ga-connect-4x4x3-1"),
        "{}",
        answer.body
    );
    assert_eq!(site.store().run("ga-connect-4x4x3-1").unwrap().plan.trim(), plans[0].trim());

    let path = "/events/new?game=connect:4x4x3&players=random%0AA=first%0A@queen&cycles=2&name=mine&show=1";
    let page = site.get(path).await;
    let plans = select(&page.body, "textarea.plan");
    assert_eq!((page.status, plans.len()), (200, 1), "{}", page.body);
    assert!(
        plans[0].contains("greedy/lines/1,2,3,4,5,6") && plans[0].contains("name = \"A\""),
        "{}",
        plans[0]
    );
    let answer = send(&site, "/events/new", &plans[0]).await;
    assert_eq!((answer.status, answer.header("location")), (303, "/event/mine"), "{}", answer.body);

    let pool = site.get("/tune?game=connect/study&features=lines&show=1").await;
    assert!(
        select(&pool.body, "textarea.plan").concat().contains("pool = \"connect/study\""),
        "{}",
        pool.body
    );
}

#[tokio::test]
async fn an_invalid_plan_is_shown_with_its_error() {
    let site = site("exit 0", |_| {});
    let cases = [
        ("/tune", "game = \"connect4\"\nplayer = \"greedy/linse\"\n", "lines"),
        ("/tune", "game = \"conect4\"\n", "connect4"),
        ("/tune", "game = [\n", "line 1"),
        ("/tune", "game = \"connect4\"\nplayer = \"greedy/lines\"\n", "budget"),
        ("/tune", "game = \"connect4\"\nplayer = \"greedy/lines\"\nsede = 1\n", "seed"),
        ("/events/new", "game = \"connect4\"\n", "two players"),
        ("/events/new", &CUP.replace("random", "@quen"), "@queen"),
        ("/events/new", &CUP.replace("cup", "no name"), "a letter"),
        ("/events/new", &format!("concurrency = 100000\n{CUP}"), "at most"),
    ];
    for (path, plan, text) in cases {
        let answer = send(&site, path, plan).await;
        let error = select(&answer.body, "[role=alert]").concat();
        assert_eq!(answer.status, 400, "{plan}");
        assert!(error.contains(text), "{plan}: {error}");
        assert_eq!(select(&answer.body, "textarea.plan").concat().trim(), plan.trim());
    }
    let script = "</textarea><script>alert(1)</script>";
    let answer = send(&site, "/tune", script).await;
    assert!(answer.status == 400 && !answer.body.contains("<script>alert"));
    let taken = send(&site, "/events/new", &CUP.replace("first", "last")).await;
    assert_eq!(taken.status, 409, "an event keeps its plan");
    assert_eq!(site.app.processes.n_running(), 0);
}

/// Every form in which a plan can name a program; each must be detected before any of its files is touched.
#[tokio::test]
async fn no_plan_starts_a_program_without_permission() {
    let player = |lines: &str| {
        format!(
            "game = \"connect:4x4x3\"\nname = \"x\"\n[[player]]\nplayer = \"random\"\n[[player]]\n{lines}\n"
        )
    };
    let opponent = |text: &str| format!("{TUNING}[objective]\nname = \"gauntlet\"\nopponents = [{text:?}]\n");
    let cases = [
        ("/events/new", player("player = \"cmd:touch started\"")),
        ("/events/new", player("player = \"cmd(protocol=gtp):touch started\"")),
        ("/events/new", player("command = [\"touch\", \"started\"]")),
        ("/events/new", player("command = \"touch started\"")),
        ("/events/new", player("command = [\"./bot\"]\nfolder = \"/etc\"")),
        ("/events/new", player("command = [\"./bot\"]\nprotocol = \"/etc/passwd\"")),
        ("/events/new", player("player = \"@robot\"")),
        ("/events/new", player("player = \"cm\\u0064:touch started\"")),
        ("/events/new", format!("players = \"/etc/*\"\n{CUP}")),
        ("/events/new", format!("players = [\"submissions/*\"]\n{}", CUP.replace("cup", "y"))),
        ("/events/new", format!("{}[confinement]\nunconfined = true\n", CUP.replace("cup", "z"))),
        ("/events/new", format!("{}[confinement]\nmemory_mb = 5\n", CUP.replace("cup", "z"))),
        ("/tune", format!("{TUNING}[method]\nname = \"external\"\ncommand = [\"touch\", \"started\"]\n")),
        ("/tune", format!("method = \"external\"\n{TUNING}")),
        ("/tune", TUNING.replace("greedy/lines", "cmd:touch started")),
        ("/tune", opponent("cmd:touch started")),
        ("/tune", opponent("@robot")),
        ("/tune", format!("{TUNING}[objective]\nname = \"reference\"\nplayer = \"@robot\"\n")),
    ];
    let site = site("exit 0", |_| {});
    let n_before = site.store().runs().unwrap().len();
    for (path, plan) in &cases {
        let answer = send(&site, path, plan).await;
        assert_eq!(answer.status, 403, "{plan}\n{:?}", select(&answer.body, "[role=alert]"));
        assert!(select(&answer.body, "[role=alert]").concat().contains("--allow-programs"), "{plan}");
    }
    let page = site.get("/events/new?game=connect:4x4x3&players=random%0Acmd:touch&show=1").await;
    assert_eq!(page.status, 403);
    let page = site.get("/events/new?game=connect:4x4x3&players=random%0A@robot&show=1").await;
    assert_eq!(page.status, 403);
    assert_eq!(site.store().runs().unwrap().len(), n_before, "nothing is written to the store");
    // The same for an event that is already in the store.
    let robots = player("command = [\"touch\", \"started\"]").replace("\"x\"", "\"robots\"");
    site.keep_event(&mut site.store(), &robots);
    assert_eq!(site.post("/runs/resume", "run=robots").await.status, 403);
    assert_eq!(send(&site, "/events/new", &robots).await.status, 403);
    // And for a tuning run whose opponent is a program.
    let known = site.store().run("cmaes-connect-4x4x3-1").unwrap();
    let objective = "name = \"reference\"\nplayer = \"cmd:touch started\"";
    let plan = known.plan.replace("name = \"league\"", objective);
    assert_ne!(plan, known.plan);
    let stem = "against-robots".to_owned();
    let (kind, version) = (known.kind.clone(), known.version.clone());
    let new = NewRun { stem, kind, plan, old_plan: None, seed: 1, version, weights: Vec::new() };
    let run = site.store().begin_run(&new).unwrap();
    assert_eq!(site.post("/runs/resume", &format!("run={}", run.name)).await.status, 403);
    assert_eq!(site.app.processes.n_changes(), 0, "nothing was started");
}

#[tokio::test]
async fn programs_take_part_where_they_are_allowed() {
    let site = site("exit 0", |config| config.allow_programs = true);
    assert!(site.get("/tune").await.body.contains("value=\"external\""));
    let plan = CUP.replace("cup", "robots").replace("\"first\"", "\"cmd:/bin/true\"");
    assert_eq!(send(&site, "/events/new", &plan).await.status, 303);
    wait_until(|| site.app.processes.n_running() == 0).await;
    assert_eq!(site.post("/runs/resume", "run=robots").await.status, 303);
    wait_until(|| site.app.processes.n_running() == 0).await;
    let plan = format!("{TUNING}[objective]\nname = \"gauntlet\"\nopponents = [\"cmd:/bin/true\"]\n");
    assert_eq!(send(&site, "/tune", &plan).await.status, 303);
    let folder = format!("players = [\"/etc/*\"]\n{}", CUP.replace("cup", "y"));
    assert_eq!(send(&site, "/events/new", &folder).await.status, 400, "only the command reads folders");
}

#[tokio::test]
async fn runs_are_stopped_and_resumed() {
    let site = site(WAITS, |_| {});
    let run = site.store().run("cmaes-connect-4x4x3-1").unwrap();
    assert_eq!(run.state, RunState::Interrupted);
    assert_eq!(site.post("/runs/stop", "run=cmaes-connect-4x4x3-1").await.status, 409);
    assert_eq!(site.post("/runs/resume", "run=nobody").await.status, 404);
    assert_eq!(site.post("/runs/stop", "run=nobody").await.status, 404);
    assert_eq!(site.post("/runs/stop", "").await.status, 422);
    for _ in 0..2 {
        let answer = site.post("/runs/resume", "run=cmaes-connect-4x4x3-1").await;
        assert_eq!((answer.status, answer.header("location")), (303, "/run/cmaes-connect-4x4x3-1"));
    }
    assert!(site.app.processes.is_ours(run.id));
    assert_eq!(site.app.processes.n_running(), 1);
    // The script needs a moment to set its trap.
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(site.post("/runs/stop", "run=cmaes-connect-4x4x3-1").await.status, 303);
    wait_until(|| site.app.processes.n_running() == 0).await;
    assert_eq!(site.app.processes.failure_message(run.id), None);
    assert_eq!(site.post("/runs/resume", "run=cup").await.header("location"), "/event/cup");
    site.app.close().await;
    assert_eq!(site.app.processes.n_running(), 0);
}

#[tokio::test]
async fn failure_messages_contain_no_paths() {
    let site = site("echo first line >&2; echo \"error: $5 and $0 failed\" >&2; exit 1", |_| {});
    let run = site.store().run("cup").unwrap();
    assert_eq!(site.post("/runs/resume", "run=cup").await.status, 303);
    wait_until(|| site.app.processes.n_running() == 0).await;
    assert_eq!(site.app.processes.failure_message(run.id).as_deref(), Some("error: … and … failed"));
}

#[tokio::test]
async fn the_number_of_processes_is_limited() {
    let site = site(WAITS, |_| {});
    for number in 0..crate::work::MAX_PROCESSES {
        let answer = send(&site, "/events/new", &CUP.replace("cup", &format!("cup{number}"))).await;
        assert_eq!(answer.status, 303, "{}", answer.body);
    }
    assert_eq!(send(&site, "/events/new", &CUP.replace("cup", "more")).await.status, 503);
    assert_eq!(site.post("/runs/resume", "run=cup").await.status, 503);
    assert!(site.store().run("more").is_err(), "nothing is written to the store");
    site.app.close().await;
}

#[tokio::test]
async fn without_a_program_nothing_is_started() {
    let site = TestSite::new(|_| {}).with_samples();
    assert_eq!(send(&site, "/tune", TUNING).await.status, 403);
    assert_eq!(send(&site, "/events/new", CUP).await.status, 403);
    assert_eq!(site.post("/runs/resume", "run=cup").await.status, 403);
    assert_eq!(site.get("/tune?game=connect4&features=lines&show=1").await.status, 200);
}

#[tokio::test]
async fn the_forms_are_in_spanish() {
    let site = site("exit 0", |_| {});
    for (path, title) in [("/tune", "Ajustar un jugador"), ("/events/new", "Nuevo torneo")] {
        let request =
            crate::hostile::request(axum::http::Method::GET, path, &[("accept-language", "es")], "");
        let page = site.ask(request).await.body;
        assert!(select(&page, "h1").concat().contains(title));
        let page = scraper::Html::parse_document(&page);
        let controls =
            scraper::Selector::parse("main input:not([type=hidden]), main select, main textarea").unwrap();
        for control in page.select(&controls) {
            let id = control.value().attr("id").unwrap();
            let label = scraper::Selector::parse(&format!("label[for={id}]")).unwrap();
            assert!(page.select(&label).next().is_some(), "{id} has no label");
        }
    }
}
