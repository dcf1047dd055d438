//! Kaggle agents: Python functions, run by a small Python program that speaks UGI.

use super::{Awaited, Dialect, ProtocolInfo, ProtocolKind, ProtocolSource, Ugi};
use crate::protocol::Protocol;
use palestra_arena::Fault;
use std::path::Path;

/// Entry of Kaggle's interface in the list of protocols.
pub(super) const INFO: ProtocolInfo = ProtocolInfo {
    name: "kaggle",
    about: "a Python function with the interface of Kaggle's ConnectX",
    source: ProtocolSource::Code(|| Box::new(Kaggle)),
};

#[derive(Debug)]
struct Kaggle;

impl ProtocolKind for Kaggle {
    fn speak(&self, options: &[(String, String)]) -> Box<dyn Protocol> {
        Box::new(Ugi::new(Dialect::UGI, options))
    }

    fn awaited(&self, sent: &str) -> Awaited {
        Dialect::UGI.awaited(sent)
    }

    fn read_move(&self, line: &str) -> Option<Result<String, Fault>> {
        Dialect::UGI.read_move(line)
    }

    fn repeats_game(&self) -> bool {
        true
    }

    fn has_options(&self) -> bool {
        true
    }

    fn is_run_by_python(&self) -> bool {
        true
    }

    fn folder_alias(&self) -> Option<&'static Path> {
        Some(Path::new("/kaggle_simulations/agent"))
    }

    /// An agent is a Python file, with an optional interpreter before it, and is run by the shim.
    fn command_words(&self, words: &[String], python: Option<&str>) -> Vec<String> {
        let (interpreter, agent) = match (words, python) {
            (agent, Some(python)) => (python, agent),
            ([agent], None) => ("python3", std::slice::from_ref(agent)),
            ([interpreter, agent @ ..], None) => (interpreter.as_str(), agent),
            ([], None) => ("python3", &[][..]),
        };
        let shim = [interpreter, "-c", KAGGLE_SHIM].map(str::to_owned);
        shim.into_iter().chain(agent.iter().cloned()).collect()
    }
}

/// The Python program that turns an agent into a UGI engine: `python3 -c KAGGLE_SHIM AGENT.py`.
const KAGGLE_SHIM: &str = include_str!("kaggle.py");

#[cfg(test)]
#[allow(clippy::print_stderr, reason = "a test that is skipped says so")]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write;
    use std::process::{Command, Stdio};

    /// Output, standard error and success of an agent with this input; `None` where there is no Python.
    fn answers(name: &str, agent: &str, input: &str) -> Option<(String, String, bool)> {
        let folder = std::env::temp_dir().join(format!("palestra-kaggle-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("shim.py"), KAGGLE_SHIM).unwrap();
        fs::write(folder.join("agent.py"), agent).unwrap();
        let mut python = Command::new("python3");
        python.arg("shim.py").arg("agent.py").current_dir(&folder);
        let spawned = python.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let Ok(mut child) = spawned else {
            eprintln!("NOT TESTED: there is no python3 here, so the Kaggle shim was not run");
            return None;
        };
        // Fails where the program ended before it read its input.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        fs::remove_dir_all(&folder).unwrap();
        let [answered, printed] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        Some((answered, printed, output.status.success()))
    }

    /// The last function is the agent. It gets the board in Kaggle's form, and its own output does not mix with the
    /// protocol.
    #[test]
    fn an_agent() {
        let agent = "import os\ndef helper(x):\n    return x\n\ndef agent(observation, configuration):\n\
            \x20   print('bestmove 1')\n    os.system('echo bestmove 2')\n\
            \x20   board = [observation.board[i:i + configuration.columns] for i in range(0, len(observation.board), configuration.columns)]\n\
            \x20   print(board, observation['mark'], observation.step, configuration.rows, configuration.inarow)\n\
            \x20   return helper(configuration.columns - 1 - observation.step)\n";
        let input = "ugi\nisready\nsetoption name UGI_Variant value connect:4x3x3\nuginewgame\nisready\n\
            position startpos\nisready\ngo movetime 1000\nposition startpos moves 2 2 4\ngo p1time 9 p2time 9\nquit\n";
        let Some((answered, printed, succeeded)) = answers("agent", agent, input) else { return };
        assert!(succeeded, "{printed}");
        let expected = "id name agent.py: function agent (line 5)\nid author a Kaggle agent\n\
            option name UGI_Variant type string default connect:7x6x4\nugiok\nreadyok\nreadyok\nreadyok\nbestmove 4\nbestmove 1\n";
        assert_eq!(answered, expected);
        assert!(printed.contains("[[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]] 1 0 3 3"), "{printed}");
        assert!(printed.contains("[[0, 0, 0, 0], [0, 2, 0, 0], [0, 1, 0, 1]] 2 3 3 3"), "{printed}");
        assert!(printed.contains("bestmove 1") && printed.contains("bestmove 2"), "{printed}");
    }

    #[test]
    fn agents_of_other_kinds() {
        let input = "position startpos\ngo movetime 1000\n";
        let Some((answered, ..)) = answers("short", "def agent(observation):\n    return 2\n", input) else {
            return;
        };
        assert_eq!(answered, "bestmove 3\n");
        let (answered, ..) = answers("lambda", "f = lambda o, c: o.mark\n", input).unwrap();
        assert_eq!(answered, "bestmove 2\n");
        let (answered, printed, succeeded) =
            answers("broken", "def agent(o, c):\n    return 1 / 0\n", input).unwrap();
        assert!(answered.is_empty() && !succeeded && printed.contains("ZeroDivisionError"), "{printed}");
        let (_, printed, succeeded) = answers("empty", "x = 1\n", input).unwrap();
        assert!(!succeeded && printed.contains("has no function"), "{printed}");
        // As on Kaggle, a class that is defined last is the agent, and an object of it is no column.
        let class =
            "def agent(o, c):\n    return 3\n\nclass Net:\n    def __init__(self, o, c):\n        pass\n";
        let (answered, printed, succeeded) = answers("class", class, &format!("ugi\n{input}")).unwrap();
        assert!(!succeeded && answered.contains("id name agent.py: class Net\n"), "{answered}");
        let message =
            "the agent is the last callable of the file, class Net, and it returned Net instead of a column";
        assert!(printed.contains(message) && !printed.contains("Traceback"), "{printed}");
        let (answered, ..) = answers(
            "object",
            "class Net:\n    def __call__(self, o, c):\n        return 1\nnet = Net()\n",
            &format!("ugi\n{input}"),
        )
        .unwrap();
        assert!(
            answered.contains(": net, an object of class Net\n") && answered.ends_with("bestmove 2\n"),
            "{answered}"
        );
    }
}
