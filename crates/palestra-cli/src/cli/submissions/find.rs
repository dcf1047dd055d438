//! The command of a submission without a `player.toml`, from its files.

use super::{bad, name_of};
use palestra_core::InputError;
use palestra_engine::ProgramSpec;
use std::fs;
use std::path::{Path, PathBuf};

/// What every Java class with a `main` method contains: its name and its type.
const JAVA_MAIN: [&[u8]; 2] = [b"main", b"([Ljava/lang/String;)V"];

/// Deepest package of Java classes that is searched.
const MAX_PACKAGE_DEPTH: usize = 8;

/// The command of a submission, if its files leave only one choice.
pub(super) fn find_command(folder: &Path) -> Result<ProgramSpec, InputError> {
    let files = files_of(folder)?;
    let names: Vec<String> = files.iter().map(|path| name_of(path)).collect();
    // An executable takes precedence over other files.
    for name in ["player", "run"] {
        if names.iter().any(|file| file == name) {
            return Ok(program(&[&format!("./{name}")]));
        }
    }
    let mut commands: Vec<ProgramSpec> = Vec::new();
    for name in &names {
        match Path::new(name).extension().and_then(|extension| extension.to_str()) {
            Some("py") => commands.push(program(&["python3", name])),
            Some("js" | "mjs" | "cjs") => commands.push(program(&["node", name])),
            Some("jar") => commands.push(program(&["java", "-jar", name])),
            Some("dll") if is_dotnet_program(name, &names) => commands.push(program(&["dotnet", name])),
            _ => {}
        }
    }
    let classes = main_classes(folder, &files);
    commands.extend(classes.iter().map(|class| program(&["java", "-cp", ".", class])));
    match &commands[..] {
        [command] => Ok(command.clone()),
        _ => {
            let expected = format!(
                "a folder with player.toml and command = […], with a program called player or run, or with exactly \
                 one *.py, *.js, *.jar, *.class or *.dll program (there are {})",
                commands.len()
            );
            Err(bad(folder, &expected))
        }
    }
}

fn program(words: &[&str]) -> ProgramSpec {
    ProgramSpec::new(words.iter().map(|&word| word.to_owned()).collect())
}

fn files_of(folder: &Path) -> Result<Vec<PathBuf>, InputError> {
    let entries =
        fs::read_dir(folder).map_err(|error| bad(folder, &format!("a readable folder ({error})")))?;
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.sort();
    Ok(files)
}

/// Whether a library is a program: only those have a description of their runtime beside them.
fn is_dotnet_program(name: &str, names: &[String]) -> bool {
    let stem = name.strip_suffix(".dll").unwrap_or(name);
    names.contains(&format!("{stem}.runtimeconfig.json"))
}

/// The Java classes that can be started. Of several, those with a `main` method; where the folder has no class itself,
/// those of its packages.
fn main_classes(folder: &Path, files: &[PathBuf]) -> Vec<String> {
    let mut classes: Vec<(String, PathBuf)> =
        files.iter().filter_map(|path| Some((class_name(path)?, path.clone()))).collect();
    if classes.is_empty() {
        classes_in_packages(folder, "", 0, &mut classes);
        classes.retain(|(_, path)| has_main(path));
    }
    if classes.len() > 1 && classes.iter().any(|(_, path)| has_main(path)) {
        classes.retain(|(_, path)| has_main(path));
    }
    classes.into_iter().map(|(name, _)| name).collect()
}

/// The name of the class in a file, if it is one that a command can name.
fn class_name(path: &Path) -> Option<String> {
    let name = name_of(path);
    let class = name.strip_suffix(".class")?;
    (class.starts_with(char::is_uppercase) && !class.contains('$')).then(|| class.to_owned())
}

fn classes_in_packages(folder: &Path, package: &str, depth: usize, classes: &mut Vec<(String, PathBuf)>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        let is_link = path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
        if path.is_dir() && !is_link && depth < MAX_PACKAGE_DEPTH {
            classes_in_packages(&path, &format!("{package}{}.", name_of(&path)), depth + 1, classes);
        } else if let Some(class) = class_name(&path) {
            classes.push((format!("{package}{class}"), path));
        }
    }
}

fn has_main(class: &Path) -> bool {
    let bytes = fs::read(class).unwrap_or_default();
    JAVA_MAIN.iter().all(|part| bytes.windows(part.len()).any(|window| window == *part))
}
