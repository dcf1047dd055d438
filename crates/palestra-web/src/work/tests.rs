//! What is told of processes names no place of the machine.

use super::stderr::without_places;

#[test]
fn places_are_left_out() {
    let cases = [
        ("error: the store /data/my course/p.db is busy", "error: the store … is busy"),
        ("cannot read /etc/passwd: denied", "cannot read … denied"),
        ("player \"greedy/lines\" is unknown", "player \"greedy/lines\" is unknown"),
        ("in '/a/b c' and (/d) and x=/e", "in '… c' and (…) and x=…"),
        ("1 / 2 is no place", "1 / 2 is no place"),
        ("//host/share", "…"),
    ];
    for (line, expected) in cases {
        assert_eq!(without_places(line, "/data/my course/p.db"), expected);
    }
}
