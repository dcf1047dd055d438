//! Charts in files.

use crate::support::{empty_folder, names_in, run, say};
use std::fs;

const TREE: [&str; 4] =
    ["tree", "connect4", "minimax:depth=3/threes/4,4,1,2", "alphabeta:depth=3/threes/4,4,1,2"];

#[test]
fn a_tree_in_both_kinds_of_file() {
    let folder = empty_folder("chart");
    let [svg, png] = ["tree.svg", "tree.png"].map(|name| folder.join(name).to_str().unwrap().to_owned());
    fs::write(&svg, "before").unwrap();
    let ran = run(&[&TREE[..], &["--svg", &svg, "--png", &png]].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(ran.stdout, say(&TREE.join(" ")), "the text is the same with a picture");
    assert_eq!(names_in(&folder), ["tree.png", "tree.svg"]);
    let text = fs::read_to_string(&svg).unwrap();
    assert!(text.starts_with("<svg ") && text.trim_end().ends_with("</svg>"));
    assert_eq!(text.matches("<g").count(), text.matches("</g>").count());
    for label in
        ["Positions per level: connect:7x6x4", "level: plies from the root", "positions", TREE[2], TREE[3]]
    {
        assert!(text.contains(&format!(">{label}</text>")), "{label}");
    }
    let bytes = fs::read(&png).unwrap();
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR") && bytes.ends_with(b"IEND\xaeB`\x82"));
    let size = [16, 20].map(|i| u32::from_be_bytes(bytes[i..i + 4].try_into().unwrap()));
    assert!(size[0] >= 1000 && size[1] >= 600, "{size:?}");
}

/// The chart shows the full tree next to a single search, even where JSON omits it.
#[test]
fn a_single_search_beside_everything() {
    let folder = empty_folder("chart-alone");
    let svg = folder.join("tree.svg").to_str().unwrap().to_owned();
    let ran = run(&["tree", "connect4", TREE[3], "--json", "--svg", &svg]);
    assert_eq!((ran.code, ran.stdout.lines().count()), (Some(0), 1));
    let text = fs::read_to_string(&svg).unwrap();
    assert!(text.contains(">full tree, 3 plies</text>") && text.contains(TREE[3]));
}
