//! Commands that run to their end in the sandbox, such as compilers.

use crate::support::{launcher, setup};
use palestra_core::CancelFlag;
use palestra_engine::{
    Confinement, FaultKind, FinishedCommand, PlayError, ProgramCommand, ResourceLimits, Sandbox, run_command,
};
use std::fs;
use std::time::Duration;

fn sandbox(stop: &CancelFlag) -> Sandbox {
    Sandbox {
        launcher: launcher(),
        limits: ResourceLimits::default(),
        confinement: Some(Confinement::default()),
        startup: Duration::from_secs(10),
        grace: Duration::from_secs(1),
        stop: stop.clone(),
    }
}

fn shell(script: &str, time: Duration) -> Result<FinishedCommand, PlayError> {
    let program = ProgramCommand {
        program: "sh".into(),
        args: vec!["-c".to_owned(), script.to_owned()],
        folder: "/usr".into(),
        environment: Vec::new(),
    };
    run_command(program, &sandbox(&CancelFlag::default()), time)
}

const LONG: Duration = Duration::from_secs(60);

#[test]
fn a_command_leaves_its_output_and_files() {
    let done = shell("echo out; echo err >&2; echo result > \"$TMPDIR/file\"", LONG).unwrap();
    assert_eq!((done.fault.as_ref(), done.output.as_str()), (None, "out\nerr\n"));
    let scratch = done.scratch();
    assert_eq!(fs::read_to_string(scratch.join("file")).unwrap(), "result\n");
    drop(done);
    assert!(!scratch.exists());
}

#[test]
fn a_command_that_fails_says_why() {
    let kind = |script: &str, time| shell(script, time).unwrap().fault.map(|fault| fault.kind);
    assert_eq!(kind("exit 3", LONG), Some(FaultKind::Crash));
    assert_eq!(kind("exec >/dev/null; exit 0", LONG), None);
    assert_eq!(kind("while :; do :; done", Duration::from_millis(300)), Some(FaultKind::Time));
    let own = setup(&["probe"]).program.program.display().to_string();
    assert_eq!(kind(&format!("cat '{own}' > /dev/null"), LONG), Some(FaultKind::Crash), "confined");
    let missing = ProgramCommand { program: "no-such-compiler".into(), ..ProgramCommand::default() };
    let done = run_command(missing, &sandbox(&CancelFlag::default()), LONG).unwrap();
    assert_eq!(done.fault.map(|fault| fault.kind), Some(FaultKind::Start));
}

#[test]
fn a_canceled_command_is_an_error() {
    let stop = CancelFlag::default();
    stop.cancel();
    let program = ProgramCommand { program: "sh".into(), folder: "/".into(), ..ProgramCommand::default() };
    assert!(matches!(run_command(program, &sandbox(&stop), LONG), Err(PlayError::Internal(_))));
}
