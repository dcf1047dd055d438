//! Messages of processes contain no paths.

use super::stderr::without_paths;

#[test]
fn paths_are_removed() {
    let cases = [
        ("error: the store /data/my course/p.db is busy", "error: the store … is busy"),
        ("cannot read /etc/passwd: denied", "cannot read … denied"),
        ("player \"greedy/lines\" is unknown", "player \"greedy/lines\" is unknown"),
        ("in '/a/b c' and (/d) and x=/e", "in '… c' and (…) and x=…"),
        ("1 / 2 is not a path", "1 / 2 is not a path"),
        ("//host/share", "…"),
    ];
    for (line, expected) in cases {
        assert_eq!(without_paths(line, "/data/my course/p.db"), expected);
    }
}
