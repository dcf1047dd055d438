//! The language of a submission by its files, and the command that compiles it.

use super::super::name_of;
use palestra_core::InputError;
use std::fs;
use std::path::Path;

/// A tool that must be installed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Tool {
    /// Name of the program.
    pub(super) name: &'static str,
    /// How to get it.
    pub(super) install: &'static str,
}

/// What compiling leaves that the submission needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Results {
    /// Nothing: the files were only checked.
    None,
    /// The file `player`.
    Player,
    /// The only program of Cargo's release folder, which becomes `player`.
    CargoProgram,
    /// All Java classes.
    Classes,
    /// All files of the folder `out`.
    OutFolder,
    /// All files that are new or other than before.
    Changed,
}

/// How a submission is compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct CompileStep {
    /// The language, for a reader.
    pub(super) language: &'static str,
    /// `None` for a command of the student's own.
    pub(super) tool: Option<Tool>,
    /// The program and its arguments; they run in a copy of the submission.
    pub(super) words: Vec<String>,
    pub(super) results: Results,
}

/// What the files of a submission are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Detected {
    /// Nothing to compile.
    Nothing,
    /// Sources of several languages.
    Several(Vec<&'static str>),
    Step(CompileStep),
}

const fn tool(name: &'static str, install: &'static str) -> Tool {
    Tool { name, install }
}

const GCC: Tool = tool("gcc", "apt install gcc");
const GPP: Tool = tool("g++", "apt install g++");
const RUSTC: Tool = tool("rustc", "apt install rustc");
const CARGO: Tool = tool("cargo", "apt install cargo");
const JAVAC: Tool = tool("javac", "apt install default-jdk-headless");
const NODE: Tool = tool("node", "apt install nodejs");
const DOTNET: Tool = tool("dotnet", "apt install dotnet-sdk-8.0, from the packages of Microsoft");

/// Checks the syntax of files one after the other, since `node` takes one at a time.
const CHECK_SCRIPT: &str = "for file; do node --check \"$file\" || exit 1; done";

/// Compiles the project, or one that is made for sources without a project.
const DOTNET_SCRIPT: &str = "export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 DOTNET_EnableDiagnostics=0
if [ $# = 0 ]; then
    version=$(dotnet --version | cut -d . -f 1,2) || exit 1
    printf '%s' '<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><OutputType>Exe</OutputType>' > player.csproj
    printf '<TargetFramework>net%s</TargetFramework></PropertyGroup></Project>' \"$version\" >> player.csproj
    set -- player.csproj
fi
exec dotnet build \"$1\" -c Release -o out -m:1 -nodeReuse:false -p:UseSharedCompilation=false -p:AssemblyName=player";

/// Deepest folder that is searched for sources.
const MAX_DEPTH: usize = 8;

/// The sources of a submission by language, as paths from its folder.
#[derive(Default)]
struct SourceFiles {
    c: Vec<String>,
    cpp: Vec<String>,
    rust: Vec<String>,
    java: Vec<String>,
    javascript: Vec<String>,
    csharp: Vec<String>,
    projects: Vec<String>,
    has_cargo: bool,
    has_python: bool,
}

impl SourceFiles {
    /// Adds the files of a folder; those below it only where a language has folders of its own.
    fn add(&mut self, folder: &Path, prefix: &str, depth: usize) -> std::io::Result<()> {
        let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let (path, kind) = (entry.path(), entry.file_type()?);
            let name = name_of(&path);
            if kind.is_dir() && depth < MAX_DEPTH && !name.starts_with('.') {
                self.add(&path, &format!("{prefix}{name}/"), depth + 1)?;
            }
            if !path.is_file() {
                continue;
            }
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            // With `./`, a name that begins with a hyphen is no option.
            let file = format!("./{prefix}{name}");
            match extension {
                "java" => self.java.push(file),
                "cs" => self.csharp.push(file),
                _ if depth > 0 => {}
                "c" => self.c.push(file),
                "cpp" | "cc" | "cxx" => self.cpp.push(file),
                "rs" => self.rust.push(file),
                "js" | "mjs" | "cjs" => self.javascript.push(file),
                "csproj" => self.projects.push(file),
                "py" => self.has_python = true,
                _ => self.has_cargo |= name == "Cargo.toml",
            }
        }
        Ok(())
    }

    fn languages(&self) -> Vec<&'static str> {
        let all = [
            ("C", !self.c.is_empty()),
            ("C++", !self.cpp.is_empty()),
            ("Rust", !self.rust.is_empty() || self.has_cargo),
            ("Java", !self.java.is_empty()),
            ("JavaScript", !self.javascript.is_empty()),
            ("C#", !self.csharp.is_empty() || !self.projects.is_empty()),
            ("Python", self.has_python),
        ];
        all.into_iter().filter(|(_, is_there)| *is_there).map(|(language, _)| language).collect()
    }
}

/// How the files of a submission are compiled.
pub(super) fn detect(folder: &Path) -> Result<Detected, InputError> {
    let mut files = SourceFiles::default();
    files.add(folder, "", 0).map_err(|error| {
        InputError::new("submissions", folder.display().to_string(), format!("a readable folder ({error})"))
    })?;
    let languages = files.languages();
    let step = |tool: Tool, fixed: &[&str], sources: &[String], more: &[&str], results| {
        let words = fixed.iter().map(|&word| word.to_owned()).chain(sources.iter().cloned());
        let words = words.chain(more.iter().map(|&word| word.to_owned())).collect();
        Detected::Step(CompileStep { language: languages[0], tool: Some(tool), words, results })
    };
    Ok(match languages[..] {
        [] | ["Python"] => Detected::Nothing,
        ["C"] => {
            let fixed = ["gcc", "-O2", "-std=gnu17", "-fmax-errors=20", "-o", "player"];
            step(GCC, &fixed, &files.c, &["-lm", "-pthread"], Results::Player)
        }
        ["C++"] => {
            let fixed = ["g++", "-O2", "-std=gnu++20", "-fmax-errors=20", "-o", "player"];
            step(GPP, &fixed, &files.cpp, &["-pthread"], Results::Player)
        }
        ["Rust"] if files.has_cargo => {
            step(CARGO, &["cargo", "build", "--release", "--offline"], &[], &[], Results::CargoProgram)
        }
        ["Rust"] => {
            let expected = "one *.rs file, one of them main.rs, or a Cargo.toml";
            let main = files.rust.iter().find(|file| *file == "./main.rs" || files.rust.len() == 1);
            let main =
                main.ok_or_else(|| InputError::new("submissions", folder.display().to_string(), expected))?;
            let fixed = ["rustc", "-O", "--edition", "2021", "--crate-name", "player", "-o", "player"];
            step(RUSTC, &fixed, std::slice::from_ref(main), &[], Results::Player)
        }
        ["Java"] => {
            step(JAVAC, &["javac", "-encoding", "UTF-8", "-d", "."], &files.java, &[], Results::Classes)
        }
        ["JavaScript"] => {
            step(NODE, &["sh", "-c", CHECK_SCRIPT, "sh"], &files.javascript, &[], Results::None)
        }
        ["C#"] => {
            if files.projects.len() > 1 {
                let expected = "one *.csproj file at most";
                return Err(InputError::new("submissions", folder.display().to_string(), expected));
            }
            step(DOTNET, &["sh", "-c", DOTNET_SCRIPT, "sh"], &files.projects, &[], Results::OutFolder)
        }
        _ => Detected::Several(languages),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(files: &[&str], expected: &str) {
        let folder = std::env::temp_dir().join(format!("palestra-language-{}", std::process::id()));
        for file in files {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let found = match detect(&folder) {
            Ok(Detected::Nothing) => "nothing".to_owned(),
            Ok(Detected::Several(languages)) => languages.join(" and "),
            Ok(Detected::Step(step)) => {
                let words = step.words.iter().filter(|word| !word.contains('\n'));
                let words: Vec<&str> = words.map(String::as_str).collect();
                format!("{}: {} -> {:?}", step.language, words.join(" "), step.results)
            }
            Err(error) => error.expected().to_owned(),
        };
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found, expected, "{files:?}");
    }

    #[test]
    fn languages_are_detected() {
        check(&["bot.py", "README.md"], "nothing");
        check(&["Bot.class"], "nothing");
        check(
            &["bot.c", "board.c", "board.h"],
            "C: gcc -O2 -std=gnu17 -fmax-errors=20 -o player ./board.c ./bot.c -lm -pthread -> Player",
        );
        check(&["-x.cc"], "C++: g++ -O2 -std=gnu++20 -fmax-errors=20 -o player ./-x.cc -pthread -> Player");
        check(&["bot.rs"], "Rust: rustc -O --edition 2021 --crate-name player -o player ./bot.rs -> Player");
        check(
            &["main.rs", "board.rs"],
            "Rust: rustc -O --edition 2021 --crate-name player -o player ./main.rs -> Player",
        );
        check(&["bot.rs", "board.rs"], "one *.rs file, one of them main.rs, or a Cargo.toml");
        check(&["Cargo.toml", "src/main.rs"], "Rust: cargo build --release --offline -> CargoProgram");
        check(
            &["Main.java", "bot/Board.java", ".git/X.java"],
            "Java: javac -encoding UTF-8 -d . ./Main.java ./bot/Board.java -> Classes",
        );
        check(&["bot.js"], &format!("JavaScript: sh -c {CHECK_SCRIPT} sh ./bot.js -> None"));
        check(&["Bot.cs", "src/Board.cs"], "C#: sh -c sh -> OutFolder");
        check(&["bot.csproj", "Bot.cs"], "C#: sh -c sh ./bot.csproj -> OutFolder");
        check(&["a.csproj", "b.csproj"], "one *.csproj file at most");
        check(&["fast.c", "bot.py"], "C and Python");
    }
}
