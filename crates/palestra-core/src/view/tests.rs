//! Small boards, rendered.

use super::*;

fn cell(content: CellContent, owner: Option<Side>) -> BoardCell {
    BoardCell { content, owner, ..BoardCell::default() }
}

fn stones() -> BoardGrid {
    let stone = |owner, marked| BoardCell { marked, ..cell(CellContent::Stone, Some(owner)) };
    BoardGrid {
        n_columns: 2,
        cells: vec![
            BoardCell::default(),
            stone(Side::Second, true),
            stone(Side::First, false),
            stone(Side::First, false),
        ],
        column_labels: vec!["9".into(), "10".into()],
        ..BoardGrid::default()
    }
}

#[test]
fn text_shows_stones_marks_and_labels() {
    assert_eq!(stones().to_text(false), "  .  (O)\n  X   X\n  9  10\n");
    assert!(stones().to_text(true).contains("\x1b["));
}

#[test]
fn svg_shows_the_same_cells() {
    let svg = stones().to_svg("a < b");
    assert_eq!(svg.matches("class=\"first\"").count(), 2);
    assert_eq!(svg.matches("class=\"second\"").count(), 1);
    assert!(svg.contains("<title>a &lt; b</title>"));
    assert!(svg.contains(">10</text>"));
}

#[test]
fn numbers_widen_the_cells() {
    let pits = [CellContent::Store(12), CellContent::Seeds(3), CellContent::Seeds(0), CellContent::Store(4)];
    let owners = [Side::Second, Side::First, Side::First, Side::First];
    let cells = pits.iter().zip(owners).map(|(&content, owner)| cell(content, Some(owner))).collect();
    let grid = BoardGrid { board: BoardKind::Pits, n_columns: 4, cells, ..BoardGrid::default() };
    assert_eq!(grid.to_text(false), "[12]  3   0 [ 4]\n");
    let svg = grid.to_svg("");
    assert!(svg.contains(">12</text>") && svg.contains(">3</text>"), "{svg}");
}

#[test]
fn columns_have_labels_above_as_well() {
    let labels = |[left, right]: [&str; 2]| vec![left.to_owned(), right.to_owned()];
    let grid = BoardGrid { top_labels: labels(["2", ""]), column_labels: labels(["", "1"]), ..stones() };
    assert_eq!(grid.to_text(false), " 2\n . (O)\n X  X\n    1\n");
    let plain = BoardGrid { column_labels: labels(["", "1"]), ..stones() };
    let height = |grid: &BoardGrid| grid.to_svg("").split('"').nth(3).map(str::to_owned);
    assert_eq!(
        [height(&plain), height(&grid)],
        ["0 0 112 140", "0 0 112 168"].map(|size| Some(size.to_owned()))
    );
}

#[test]
fn a_field_shows_its_terrain() {
    let empty = |terrain| BoardCell { terrain, ..BoardCell::default() };
    let cells = vec![
        empty(Terrain::Outside),
        empty(Terrain::Goal),
        empty(Terrain::Special),
        cell(CellContent::Keeper, Some(Side::First)),
        cell(CellContent::Keeper, Some(Side::Second)),
        cell(CellContent::Ball, None),
    ];
    let row_labels = vec!["1".into(), "0".into()];
    let grid = BoardGrid { board: BoardKind::Field, n_columns: 3, cells, row_labels, ..BoardGrid::default() };
    assert_eq!(grid.to_text(false), "1    =  +\n0 K  G  *\n");
    let svg = grid.to_svg("");
    assert_eq!(svg.matches("class=\"ball\"").count(), 1);
    assert_eq!(svg.matches("class=\"goal\"").count(), 1);
}

#[test]
fn the_caller_can_draw_cells() {
    let grid = stones();
    let mut seen = Vec::new();
    let svg = grid.to_bare_svg_with("a", &mut |svg, i, corner| {
        seen.push((i, corner));
        svg.push_str(&cell_svg(grid.board, &grid.cells[i]));
    });
    assert_eq!(seen, [(0, [8, 8]), (1, [56, 8]), (2, [8, 56]), (3, [56, 56])]);
    assert_eq!(svg.matches("cx=\"24\" cy=\"24\"").count(), 5, "four cells, one of them marked");
}

#[test]
fn a_bare_board_has_no_style() {
    let grid = stones();
    let draw = |svg: &mut String, i: usize, [x, y]: [usize; 2]| {
        svg.push_str(&format!("<use href=\"#c{i}\" x=\"{x}\" y=\"{y}\"/>\n"));
    };
    let svg = grid.to_bare_svg_with("a < b", &mut { draw });
    let head = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 112 140\" class=\"palestra-board\" role=\"group\">\n\
                <title>a &lt; b</title>\n<rect class=\"board\"";
    assert!(svg.starts_with(head), "{svg}");
    assert!(!svg.contains("style"));
}

#[test]
fn style_rules_of_bare_boards_are_scoped() {
    let whole = BoardGrid { board: BoardKind::Pits, ..stones() }.to_svg("");
    let rules = whole.split("<style>").nth(1).and_then(|rest| rest.split("</style>").next()).unwrap();
    let scoped: String = rules.split_inclusive('}').map(|rule| format!(".palestra-board {rule}")).collect();
    assert_eq!(board_style().trim_end(), scoped);
}

#[test]
fn cells_have_names() {
    let names = |grid: &BoardGrid| (0..grid.cells.len()).map(|cell| grid.name_of(cell)).collect::<Vec<_>>();
    assert_eq!(names(&stones()), ["9", "10", "9", "10"]);
    let labels = |texts: [&str; 2]| texts.map(str::to_owned).to_vec();
    let rows = BoardGrid { column_labels: labels(["a", "b"]), row_labels: labels(["2", "1"]), ..stones() };
    assert_eq!(names(&rows), ["a2", "b2", "a1", "b1"]);
    let pits = BoardGrid { top_labels: labels(["", " 1"]), column_labels: labels([" 1", ""]), ..stones() };
    assert_eq!(names(&pits), ["", "1", "1", ""]);
    assert_eq!(names(&BoardGrid { column_labels: Vec::new(), ..stones() }), ["1/1", "1/2", "2/1", "2/2"]);
}
