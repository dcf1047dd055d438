//! A folder of submissions: one folder for each player, which says how it is started, or shows it.

use anyhow::{Context, Result};
use palestra_core::InputError;
use palestra_engine::{ProcessLifetime, ProgramSpec};
use palestra_settings::Settings;
use std::path::{Path, PathBuf};

/// What a submission may bring along to say how it is started.
const CARD: &str = "player.toml";

/// All submissions of a folder, by name, in the order of their names.
pub(super) fn read(folder: &Path) -> Result<Vec<(String, ProgramSpec)>> {
    let entries = std::fs::read_dir(folder)
        .map_err(|error| bad(folder, &format!("a folder with one folder for every submission: {error}")))?;
    let mut folders: Vec<PathBuf> = Vec::new();
    for entry in entries {
        let path = entry.with_context(|| format!("cannot read {}", folder.display()))?.path();
        if path.is_dir() && !name_of(&path).starts_with('.') {
            folders.push(path);
        }
    }
    folders.sort();
    if folders.is_empty() {
        return Err(bad(folder, "a folder with at least one folder in it, one for every submission").into());
    }
    folders.iter().map(|folder| Ok(submission(folder)?)).collect()
}

fn submission(folder: &Path) -> Result<(String, ProgramSpec), InputError> {
    let card = folder.join(CARD);
    let (name, mut program) = if card.is_file() {
        let text = std::fs::read_to_string(&card).map_err(|error| bad(&card, &error.to_string()))?;
        read_card(&text, &card)?
    } else {
        (None, guess(folder)?)
    };
    program.folder = Some(folder.to_owned());
    Ok((name.unwrap_or_else(|| name_of(folder)), program))
}

/// What the card of a submission says.
fn read_card(text: &str, path: &Path) -> Result<(Option<String>, ProgramSpec), InputError> {
    let mut settings = Settings::parse(text, &path.display().to_string())?;
    let name = settings.text("name")?.map(|(name, _)| name);
    let command = settings.texts("command")?.unwrap_or_default();
    let words: Vec<String> = match &command[..] {
        [] => return Err(settings.missing("command", "the program: command = [\"python3\", \"bot.py\"]")),
        [(line, _)] => return finish_card(settings, name, &format!("cmd:{line}")),
        words => words.iter().map(|(word, _)| word.clone()).collect(),
    };
    finish_card(settings, name, &ProgramSpec::new(words).to_string())
}

fn finish_card(
    mut settings: Settings,
    name: Option<String>,
    text: &str,
) -> Result<(Option<String>, ProgramSpec), InputError> {
    let mut program: ProgramSpec = text.parse()?;
    if let Some((protocol, _)) = settings.text("protocol")? {
        program.protocol = protocol;
    }
    if let Some((start, place)) = settings.text("start")? {
        program.start = match start.as_str() {
            "once" => ProcessLifetime::Kept,
            "game" => ProcessLifetime::PerGame,
            _ => return Err(settings.invalid_value("start", place, &start, "\"once\" or \"game\"")),
        };
    }
    settings.finish()?;
    Ok((name, program))
}

/// How a submission without a card is started, where there is only one way to see it.
fn guess(folder: &Path) -> Result<ProgramSpec, InputError> {
    let entries = std::fs::read_dir(folder).map_err(|error| bad(folder, &error.to_string()))?;
    let files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    let mut ways: Vec<Vec<String>> = Vec::new();
    for path in &files {
        let name = name_of(path);
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let words: &[&str] = match (name.as_str(), extension.as_ref()) {
            ("player" | "run", _) => &["./"],
            (_, "py") => &["python3", ""],
            (_, "jar") => &["java", "-jar", ""],
            (_, "class") if stem.starts_with(char::is_uppercase) && !stem.contains('$') => {
                &["java", "-cp", ".", ""]
            }
            _ => continue,
        };
        let named = if extension == "class" { &stem } else { &name };
        let mut words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        if let Some(last) = words.last_mut() {
            last.push_str(named);
        }
        ways.push(words);
    }
    // A program that is there to be run is meant, whatever lies beside it.
    if let Some(way) = ways.iter().find(|way| way[0].starts_with("./")) {
        return Ok(ProgramSpec::new(way.clone()));
    }
    match &ways[..] {
        [way] => Ok(ProgramSpec::new(way.clone())),
        _ => {
            let expected = format!(
                "one way to start it: {CARD} with command = […], a program called player or run, or exactly one \
                 *.py, *.jar or *.class file (there are {})",
                ways.len()
            );
            Err(bad(folder, &expected))
        }
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn bad(path: &Path, expected: &str) -> InputError {
    InputError::new("submissions", path.display().to_string(), expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn submissions_are_found() {
        let root = std::env::temp_dir().join(format!("palestra-submissions-{}", std::process::id()));
        let put = |path: &str, text: &str| {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        put("ana/bot.py", "");
        put("berta/player", "");
        put("berta/helper.py", "");
        put("carla/Bot.class", "");
        put("carla/Bot$1.class", "");
        put(
            "dora/player.toml",
            "name = \"Dora D.\"\ncommand = [\"node\", \"my bot.js\"]\nprotocol = \"gtp\"\n",
        );
        put("elsa/bot.jar", "");
        let all = read(&root).unwrap();
        let texts: Vec<String> = all
            .iter()
            .map(|(name, program)| format!("{name}: {}", ProgramSpec { folder: None, ..program.clone() }))
            .collect();
        assert_eq!(
            texts,
            [
                "ana: cmd:python3 bot.py",
                "berta: cmd:./player",
                "carla: cmd:java -cp . Bot",
                "Dora D.: cmd(protocol=gtp):node 'my bot.js'",
                "elsa: cmd:java -jar bot.jar",
            ]
        );
        assert_eq!(all[0].1.folder, Some(root.join("ana")));
        for (path, text, part) in [
            ("x/a.py", "", "there are 2"),
            ("x/player.toml", "name = \"x\"\n", "command"),
            ("x/player.toml", "command = \"./x\"\nprotocl = \"ugi\"\n", "did you mean \"protocol\""),
            ("x/player.toml", "command = \"./x\"\nstart = \"often\"\n", "line 2"),
        ] {
            put("x/b.py", "");
            put(path, text);
            let complaint = read(&root).unwrap_err().to_string();
            assert!(complaint.contains(part), "{complaint}");
            std::fs::remove_dir_all(root.join("x")).unwrap();
        }
        std::fs::remove_dir_all(&root).unwrap();
    }
}
