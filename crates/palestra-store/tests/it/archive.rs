//! Archived files of programs.

use crate::events::new_event;
use crate::support::{Folder, key};
use palestra_store::{ArchivedContent, EVENT, FileSource, NewRun, ProgramFile};
use std::fs;

/// Contents are stored once for all programs, and deleted with the last event that has them.
#[test]
fn contents_are_shared_and_deleted_with_their_last_event() {
    let folder = Folder::new();
    let mut store = folder.store();
    let file = |name: &str, content: &[u8]| {
        fs::write(folder.path().join(name), content).unwrap();
        ProgramFile {
            path: format!("sub/{name}"),
            is_executable: name == "run",
            source: FileSource::Content(folder.path().join(name)),
        }
    };
    let content = vec![b'x'; 1 << 20];
    let link = ProgramFile {
        path: "link".to_owned(),
        is_executable: false,
        source: FileSource::Link("sub/run".to_owned()),
    };
    let files = [file("run", &content), file("copy", &content), link];
    let (cup, _) = store.find_or_begin_event(&new_event("a")).unwrap();
    let new = NewRun { stem: "league".into(), kind: EVENT.into(), ..new_event("b") };
    let (league, _) = store.find_or_begin_event(&new).unwrap();
    assert_eq!(store.archived_program(&key(1)).unwrap(), None);
    store.archive_program(cup.id, &key(1), &files).unwrap();
    assert!(store.has_archived(cup.id, &key(1)).unwrap() && !store.has_archived(league.id, &key(1)).unwrap());
    store.archive_program(league.id, &key(2), &files[..1]).unwrap();
    let archived = store.archived_program(&key(1)).unwrap().unwrap();
    let paths: Vec<_> = archived.iter().map(|file| (file.path.as_str(), file.is_executable)).collect();
    assert_eq!(paths, [("sub/run", true), ("sub/copy", false), ("link", false)]);
    assert_eq!(archived[2].content, ArchivedContent::Link("sub/run".to_owned()));
    let ArchivedContent::Hash(hash) = &archived[0].content else { panic!("a content") };
    assert_eq!(archived[0].content, archived[1].content);
    assert!(store.archived_content(hash).unwrap() == content);
    // A megabyte of one letter is stored in few bytes.
    assert!(fs::metadata(folder.file()).unwrap().len() < 1 << 20);
    store.delete_run(cup.id).unwrap();
    assert_eq!(store.archived_program(&key(1)).unwrap(), None);
    assert!(store.archived_content(hash).is_ok(), "the other event has it");
    store.delete_run(league.id).unwrap();
    assert!(store.archived_content(hash).is_err());
}
