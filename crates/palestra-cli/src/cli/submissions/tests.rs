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
    put("dora/player.toml", "name = \"Dora D.\"\ncommand = [\"node\", \"my bot.js\"]\nprotocol = \"gtp\"\n");
    put("elsa/bot.jar", "");
    put("fay/bot.js", "");
    put("gil/Bot.dll", "");
    put("gil/Bot.runtimeconfig.json", "");
    put("gil/Library.dll", "");
    put("hal/Board.class", "main");
    put("hal/Bot.class", "main ([Ljava/lang/String;)V");
    put("ina/course/bot/Main.class", "main ([Ljava/lang/String;)V");
    put("ina/course/bot/Board.class", "");
    let all = read(&root).unwrap();
    let text = |submission: &Submission| {
        let program = submission.program.clone().unwrap();
        format!("{}: {}", submission.entry.name, ProgramSpec { folder: None, ..program })
    };
    let texts: Vec<String> = all.iter().map(text).collect();
    assert_eq!(
        texts,
        [
            "ana: cmd:python3 bot.py",
            "berta: cmd:./player",
            "carla: cmd:java -cp . Bot",
            "dora: cmd(protocol=gtp):node 'my bot.js'",
            "elsa: cmd:java -jar bot.jar",
            "fay: cmd:node bot.js",
            "gil: cmd:dotnet Bot.dll",
            "hal: cmd:java -cp . Bot",
            "ina: cmd:java -cp . course.bot.Main",
        ]
    );
    assert_eq!(all[0].program.as_ref().unwrap().folder, Some(root.join("ana")));
    let notices: Vec<&String> = all.iter().flat_map(|submission| &submission.notices).collect();
    assert!(matches!(notices[..], [notice] if notice.contains("dora/player.toml: name is not used")));
    for (path, text, part) in [
        ("x/a.py", "", "there are 2"),
        ("x/player.toml", "protocol = \"gtp\"\n", "command"),
        ("x/player.toml", "command = \"./x\"\nprotocl = \"ugi\"\n", "did you mean \"protocol\""),
        ("x/player.toml", "command = \"./x\"\nstart = \"often\"\n", "line 2"),
        ("x/player.toml", "command = \"./x\"\npython = \"venv/bin/python\"\n", "only a Kaggle agent has it"),
    ] {
        put("x/b.py", "");
        put(path, text);
        let all = read(&root).unwrap();
        let last = all.last().unwrap();
        let problem = last.program.as_ref().unwrap_err().to_string();
        assert!(problem.contains(part) && problem.contains("/x"), "{problem}");
        assert_eq!((last.entry.name.as_str(), all.len()), ("x", 10));
        std::fs::remove_dir_all(root.join("x")).unwrap();
    }
    std::fs::remove_dir_all(&root).unwrap();
}

/// Only files of its own folder and programs of the system are a submission's command.
#[test]
fn a_command_cannot_leave_its_folder() {
    let root = std::env::temp_dir().join(format!("palestra-outside-{}", std::process::id()));
    std::fs::create_dir_all(root.join("ana")).unwrap();
    std::fs::write(root.join("ana/player"), "").unwrap();
    let folder = root.join("eva");
    let check = |command: &str, link: Option<&str>, is_accepted: bool| {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("bot.py"), "").unwrap();
        std::fs::write(folder.join("player.toml"), format!("command = {command}\n")).unwrap();
        if let Some(target) = link {
            std::os::unix::fs::symlink(target, folder.join("link")).unwrap();
        }
        let read = submission(&folder);
        std::fs::remove_dir_all(&folder).unwrap();
        match read {
            Ok(_) => assert!(is_accepted, "{command} {link:?}"),
            Err(error) => {
                let text = error.to_string();
                assert!(!is_accepted && text.contains(&folder.display().to_string()), "{command}: {text}");
            }
        }
    };
    check("[\"../ana/player\"]", None, false);
    check("[\"./link\"]", Some("../ana/player"), false);
    check("[\"python3\", \"../ana/player\"]", None, false);
    check("[\"java\", \"-cp\", \"..\", \"Bot\"]", None, false);
    check("[\"python3\", \"link/player\"]", Some("../ana"), false);
    check("[\"python3\", \"bot.py\", \"--depth\", \"4\"]", None, true);
    check("[\"/usr/bin/env\", \"python3\", \"bot.py\"]", None, true);
    check("[\"./link\", \"python3\", \"./bot.py\"]", Some("/usr/bin/env"), true);
    // Not there: reported when it is started.
    check("[\"./missing\"]", None, true);
    std::fs::remove_dir_all(&root).unwrap();
}

/// A folder may have any name, and a player's name has one line of at most 100 characters.
#[test]
fn players_are_named_after_folders() {
    assert_eq!(player_name("García, Ana_1 "), "García, Ana_1 ");
    assert_eq!(player_name("a\nb"), "a\u{fffd}b");
    let long = player_name(&"x".repeat(200));
    assert!(long.chars().count() == 100 && long.ends_with("x…"), "{long}");
}
