//! Exports of runs.

use crate::support::{Folder, exported, generation, key, new_run};
use palestra_store::{
    Candidate, ExportFormat, ExportOptions, NewRun, Result, RunId, RunLedger, Store, StoreError,
    StoredHallEntry,
};
use std::io::{self, Write};

/// A run of two generations.
fn small(store: &mut Store, new: &NewRun, write: impl FnOnce(&RunLedger) -> Result<()>) -> RunId {
    let run = store.begin_run(new).unwrap().id;
    let ledger = store.ledger(run).unwrap();
    write(&ledger).unwrap();
    ledger.finish(r#"{"champion": 0.30000000000000004}"#).unwrap();
    run
}

fn candidates(number: u32) -> Vec<Candidate> {
    let weights = vec![1e-9, -f64::from(number)];
    vec![Candidate { weights, fitness: 0.1 }, Candidate { weights: vec![2.5, 1e21], fitness: f64::NAN }]
}

fn entry(label: &str) -> StoredHallEntry {
    StoredHallEntry { number: 0, generation: 1, label: label.into(), weights: vec![1.0, 2.0], fitness: 0.5 }
}

fn write_in_order(ledger: &RunLedger) -> Result<()> {
    ledger.finish_batch(&key(0), vec![0], 300)?;
    ledger.keep_generation(generation(0), candidates(0))?;
    ledger.finish_batch(&key(1), vec![1], 300)?;
    ledger.keep_generation(generation(1), candidates(1))?;
    ledger.keep_hall_entry(entry("best"))
}

/// The same in another order, in parts and more than once.
fn write_out_of_order(ledger: &RunLedger) -> Result<()> {
    ledger.keep_unit(&key(1), 1, vec![7], 200)?;
    ledger.keep_hall_entry(entry("early"))?;
    ledger.flush()?;
    ledger.keep_generation(generation(1), candidates(1))?;
    ledger.keep_unit(&key(1), 0, vec![7], 100)?;
    ledger.finish_batch(&key(1), vec![1], 300)?;
    ledger.flush()?;
    ledger.keep_hall_entry(entry("best"))?;
    ledger.keep_generation(generation(1), candidates(1))?;
    ledger.finish_batch(&key(1), vec![1], 300)?;
    ledger.keep_unit(&key(1), 0, vec![7], 100)?;
    ledger.finish_batch(&key(0), vec![0], 300)?;
    ledger.keep_generation(generation(0), candidates(0))
}

#[test]
fn json_is_the_whole_run() {
    let folder = Folder::new();
    let mut store = folder.store();
    let run = small(&mut store, &new_run("a"), write_in_order);
    let text = String::from_utf8(exported(&store, run, ExportFormat::Json)).unwrap();
    let key = new_run("a").plan_key();
    let expected = r#"{
"format":"palestra-run-1",
"kind":"tune",
"seed":18446744073709551615,
"version":"1",
"plan_key":"KEY",
"plan":"name = \"a\"\n",
"weights":["twos","threes"],
"state":"done",
"n_games":600,
"generations":[
{"number":0,"n_games":20000,"best":0.0,"mean":0.1,"worst":0.0,"best_number":1,"spread":0.25,"angle":null,"vitals":{"step_size": 0.30000000000000004},"candidates":[{"weights":[1e-9,-0.0],"fitness":0.1},{"weights":[2.5,1e+21],"fitness":null}]},
{"number":1,"n_games":40000,"best":0.3333333333333333,"mean":0.1,"worst":-1.0,"best_number":1,"spread":0.25,"angle":null,"vitals":{"step_size": 0.30000000000000004},"candidates":[{"weights":[1e-9,-1.0],"fitness":0.1},{"weights":[2.5,1e+21],"fitness":null}]}
],
"hall":[
{"number":0,"generation":1,"label":"best","weights":[1.0,2.0],"fitness":0.5}
],
"outcome":{"champion": 0.30000000000000004}
}
"#;
    assert_eq!(text, expected.replace("KEY", &key));

    let mut bytes = Vec::new();
    store.export(run, ExportOptions { format: ExportFormat::Json, with_timings: true }, &mut bytes).unwrap();
    let document: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(document["name"], "toy-1");
    assert!(document["seconds"].as_f64().unwrap() > 0.0 && document["created"].is_string());
}

#[test]
fn the_order_of_writes_does_not_matter() {
    let folder = Folder::new();
    let mut store = folder.store();
    let first = small(&mut store, &new_run("a"), write_in_order);
    let second = small(&mut store, &new_run("a"), write_out_of_order);
    for format in [ExportFormat::Json, ExportFormat::Csv] {
        let [first, second] = [first, second].map(|run| exported(&store, run, format));
        assert_eq!(String::from_utf8(first), String::from_utf8(second));
    }
}

#[test]
fn csv_has_a_column_for_every_weight() {
    let folder = Folder::new();
    let mut store = folder.store();
    let check = |store: &Store, run, head: &str| {
        let text = String::from_utf8(exported(store, run, ExportFormat::Csv)).unwrap();
        let expected = "0,0,0.1,1e-9,-0.0\n0,1,NaN,2.5,1e21\n1,0,0.1,1e-9,-1.0\n1,1,NaN,2.5,1e21\n";
        assert_eq!(text, format!("{head}\n{expected}"));
    };
    let run = small(&mut store, &new_run("a"), write_in_order);
    check(&store, run, "generation,number,fitness,twos,threes");
    let nameless = NewRun { weights: vec![], ..new_run("b") };
    let run = small(&mut store, &nameless, write_in_order);
    check(&store, run, "generation,number,fitness,weight1,weight2");
}

#[test]
fn an_empty_run_can_be_exported() {
    let folder = Folder::new();
    let mut store = folder.store();
    let run = store.begin_run(&NewRun { weights: vec![], ..new_run("a") }).unwrap().id;
    assert_eq!(exported(&store, run, ExportFormat::Csv), b"generation,number,fitness\n");
    let document: serde_json::Value =
        serde_json::from_slice(&exported(&store, run, ExportFormat::Json)).unwrap();
    assert_eq!(document["state"], "interrupted");
    assert!(document["outcome"].is_null() && document["generations"].as_array().unwrap().is_empty());
}

#[test]
fn formats_have_names() {
    for format in [ExportFormat::Csv, ExportFormat::Json, ExportFormat::Parquet] {
        assert_eq!(format.to_string().parse::<ExportFormat>().unwrap(), format);
    }
    assert!("xml".parse::<ExportFormat>().unwrap_err().to_string().contains("csv, json or parquet"));
}

#[test]
fn a_failing_writer_is_an_export_error() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let folder = Folder::new();
    let mut store = folder.store();
    let run = small(&mut store, &new_run("a"), write_in_order);
    for format in [ExportFormat::Csv, ExportFormat::Json] {
        let error =
            store.export(run, ExportOptions { format, with_timings: false }, &mut Closed).unwrap_err();
        assert!(
            matches!(&error, StoreError::Export { cause, .. } if cause.kind() == io::ErrorKind::BrokenPipe)
        );
    }
    let error = store.export(
        RunId(99),
        ExportOptions { format: ExportFormat::Csv, with_timings: false },
        &mut Vec::new(),
    );
    assert!(matches!(error, Err(StoreError::NoRun { .. })));
}

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_needs_its_feature() {
    let folder = Folder::new();
    let mut store = folder.store();
    let run = small(&mut store, &new_run("a"), write_in_order);
    let error = store.export(
        run,
        ExportOptions { format: ExportFormat::Parquet, with_timings: false },
        &mut Vec::new(),
    );
    assert!(matches!(error, Err(StoreError::NoParquet)));
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_has_the_columns_of_csv() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;
    let folder = Folder::new();
    let mut store = folder.store();
    let run = small(&mut store, &new_run("a"), write_in_order);
    let other = small(&mut store, &new_run("a"), write_out_of_order);
    let bytes = exported(&store, run, ExportFormat::Parquet);
    assert_eq!(bytes, exported(&store, other, ExportFormat::Parquet));
    let file = folder.path().join("run.parquet");
    std::fs::write(&file, bytes).unwrap();
    let reader = SerializedFileReader::new(std::fs::File::open(file).unwrap()).unwrap();
    let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(|row| row.unwrap()).collect();
    let names: Vec<&str> = rows[2].get_column_iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["generation", "number", "fitness", "twos", "threes"]);
    let numbers: Vec<(i32, i32)> =
        rows.iter().map(|row| (row.get_int(0).unwrap(), row.get_int(1).unwrap())).collect();
    assert_eq!(numbers, [(0, 0), (0, 1), (1, 0), (1, 1)]);
    assert_eq!([2, 3, 4].map(|column| rows[2].get_double(column).unwrap()), [0.1, 1e-9, -1.0]);
    assert!(rows[3].get_double(2).unwrap().is_nan());
}
