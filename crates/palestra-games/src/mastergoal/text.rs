//! Game strings, turns, setups and board grids of Mastergoal.

use super::field::{COLUMNS, ROWS, Square, SquareSet, read_square};
use super::kicks::{Landing, barriers, kickers, landing};
use super::rules::{MAX_PIECES, Mastergoal, MastergoalLevel, Position, Team, Turn};
use super::turn_board::{TurnBoard, arms};
use super::turns::MAX_KICKS;
use palestra_core::{
    BoardCell, BoardGrid, BoardKind, CellContent, Game, InputError, Notation, Side, Terrain, View,
};
use std::fmt;

impl fmt::Display for Mastergoal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "mastergoal:{}", self.level.name())?;
        if self.goals != 1 {
            write!(f, ",goals={}", self.goals)?;
        }
        if self.limit != self.level.usual_limit() {
            write!(f, ",limit={}", self.limit)?;
        }
        if self.keeper_row != 3 {
            write!(f, ",keeper={}", self.keeper_row)?;
        }
        if !self.must_claim {
            write!(f, ",claim=no")?;
        }
        Ok(())
    }
}

impl Notation for Mastergoal {
    /// In a game to several goals the score follows once there is a goal: `… 2 1-0`.
    fn setup(&self, at: &Position) -> String {
        let team = |side| at.pieces(side).map(|square| square.to_string()).collect::<Vec<_>>().join(",");
        let mut text =
            format!("{}/{}/{} {}", team(Side::First), team(Side::Second), at.ball, at.to_move.index() + 1);
        if self.goals > 1 && at.goals != [0, 0] {
            text.push_str(&format!(" {}-{}", at.goals[0], at.goals[1]));
        }
        text
    }

    fn parse_setup(&self, text: &str) -> Result<Position, InputError> {
        let bad = |found: &str, expected: &str| InputError::new(format!("setup \"{text}\""), found, expected);
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        let (&[board, turn] | &[board, turn, _]) = fields.as_slice() else {
            let expected = "squares of both teams and the ball, a space, and the side to move, 1 or 2";
            return Err(bad(text.trim(), expected));
        };
        let to_move = match turn {
            "1" => Side::First,
            "2" => Side::Second,
            _ => return Err(bad(turn, "the side to move, 1 or 2")),
        };
        let parts: Vec<&str> = board.split('/').collect();
        let &[first, second, ball] = parts.as_slice() else {
            return Err(bad(board, "first team/second team/ball"));
        };
        let teams = [self.parse_team(first, text)?, self.parse_team(second, text)?];
        let ball = match read_square(ball) {
            Some((square, "")) => square,
            _ => return Err(bad(ball, "the ball's square, such as f7")),
        };
        let goals = self.parse_goals(fields.get(2).copied(), ball, text)?;
        let at = Position { teams, ball, to_move, goals, turns: Some(0) };
        self.check_setup(&at, text)?;
        Ok(at)
    }

    /// Any legal path of the ball to the same result means the same move.
    fn parse_move(&self, at: &Position, token: &str) -> Result<Turn, InputError> {
        let mut moves = Vec::new();
        self.moves(at, &mut moves);
        let by_other_path = || {
            let (from, to, path) = read_turn(token)?;
            let same = |mv: &&Turn| mv.from == from && mv.to == to && mv.last_kick() == path.last().copied();
            moves.iter().find(same).filter(|_| self.allows(at, from, to, &path))
        };
        if let Some(mv) = moves.iter().find(|mv| mv.to_string() == token).or_else(by_other_path) {
            return Ok(*mv);
        }
        let names: Vec<String> = moves.iter().map(Turn::to_string).collect();
        let nearest = palestra_core::nearest_name(token, names.iter().map(String::as_str));
        let example = names.first().map_or(String::new(), |name| format!(", such as {name}"));
        let expected = format!("one of the {} legal moves{example}", names.len());
        Err(InputError::new("move", token, expected).with_nearest(nearest))
    }

    fn stages(&self, mv: Turn) -> Vec<String> {
        let kicks = mv.kicks().map(|square| format!("*{square}"));
        [mv.from.to_string(), mv.to.to_string()].into_iter().chain(kicks).collect()
    }

    fn stage_names(&self) -> &'static [&'static str] {
        &["piece", "square", "kick"]
    }
}

/// Piece, destination and ball squares of a move's text.
fn read_turn(token: &str) -> Option<(Square, Square, Vec<Square>)> {
    let (from, rest) = read_square(token)?;
    let (to, mut rest) = read_square(rest)?;
    let mut path = Vec::new();
    while !rest.is_empty() {
        let (square, left) = read_square(rest.strip_prefix('*')?)?;
        path.push(square);
        rest = left;
    }
    (path.len() <= MAX_KICKS).then_some((from, to, path))
}

impl Mastergoal {
    /// Whether the ball can take this path after a legal move of a piece.
    fn allows(&self, at: &Position, from: Square, to: Square, path: &[Square]) -> bool {
        let mut board = TurnBoard::new(self, at);
        let Some(piece) = board.own().iter().position(|&square| square == from) else { return false };
        board.shift(piece, to);
        let barriers = barriers(&board);
        let mut ball = at.ball;
        let mut candidates: Vec<usize> = kickers(&board, ball).collect();
        for (i, &target) in path.iter().enumerate() {
            let is_last = i + 1 == path.len();
            let required = if is_last { Landing::Rest } else { Landing::Pass };
            let kicks = |&kicker: &usize| landing(&board, kicker, target) == required;
            let kicked: Vec<usize> = candidates.into_iter().filter(kicks).collect();
            if kicked.is_empty() || !is_clear(&barriers, ball, target) {
                return false;
            }
            // The next kicker must be another piece (N16).
            let next = |&piece: &usize| kicked.iter().any(|&kicker| kicker != piece);
            candidates = kickers(&board, target).filter(next).collect();
            ball = target;
        }
        true
    }

    fn parse_team(&self, list: &str, text: &str) -> Result<Team, InputError> {
        let key = || format!("setup \"{text}\"");
        let n_pieces = self.level.n_pieces();
        let names: Vec<&str> = list.split(',').collect();
        if names.len() != n_pieces {
            let expected = match n_pieces {
                1 => "one square".to_owned(),
                _ => format!("{n_pieces} squares separated by commas"),
            };
            return Err(InputError::new(key(), list, expected));
        }
        let mut team = [Square::NONE; MAX_PIECES];
        for (square, name) in team.iter_mut().zip(names) {
            *square = match read_square(name) {
                Some((square, "")) if square.is_field() => square,
                _ => return Err(InputError::new(key(), name, "a square of the field, a1 to k13")),
            };
        }
        Ok(team)
    }

    /// The score where it is given; otherwise derived from a ball in a goal.
    fn parse_goals(&self, score: Option<&str>, ball: Square, text: &str) -> Result<[u8; 2], InputError> {
        let bad =
            |found: &str, expected: String| InputError::new(format!("setup \"{text}\""), found, expected);
        let scorer = ball.goal_of().map(Side::other);
        let Some(score) = score else {
            return Ok(Side::BOTH.map(|side| if scorer == Some(side) { self.goals } else { 0 }));
        };
        let number = |part: &str| part.parse::<u8>().ok().filter(|_| part.len() == 1);
        let goals = score.split_once('-').and_then(|(a, b)| Some([number(a)?, number(b)?]));
        let won = |goals: [u8; 2]| goals.map(|n| n == self.goals);
        match goals {
            Some(goals) if self.goals > 1 && won(goals) == Side::BOTH.map(|side| scorer == Some(side)) => {
                if goals[0].max(goals[1]) <= self.goals {
                    return Ok(goals);
                }
                Err(bad(score, format!("at most {} goals", self.goals)))
            }
            _ if self.goals == 1 => {
                let option = format!("score \"{score}\" of setup \"{text}\"");
                Err(InputError::not_allowed(option, "the first goal ends this game"))
            }
            _ => {
                let end = format!("with {} goals only if the ball is in the goal", self.goals);
                Err(bad(score, format!("a score such as 1-0, {end}")))
            }
        }
    }

    /// Checks that no square holds two pieces, or a piece and the ball, and no piece is on an own corner (N6) or on an
    /// arm of a keeper (N11).
    fn check_setup(&self, at: &Position, text: &str) -> Result<(), InputError> {
        let bad = |square: Square, expected: &str| {
            Err(InputError::new(format!("setup \"{text}\""), square.to_string(), expected))
        };
        let mut taken = SquareSet::default();
        taken.add(at.ball);
        for side in Side::BOTH {
            for square in at.pieces(side) {
                if taken.has(square) {
                    return bad(square, "a square of its own for each piece and the ball");
                }
                taken.add(square);
                if square.is_corner_of(side) {
                    return bad(square, "a square that is not an own corner");
                }
            }
        }
        if self.level.has_keeper() {
            for side in Side::BOTH {
                let keeper = at.teams[side.index()][self.level.n_pieces() - 1];
                for arm in arms(side, keeper).into_iter().filter(|arm| arm.is_some() && *arm != at.ball) {
                    if taken.has(arm) {
                        return bad(arm, "a square that is not an arm of a keeper");
                    }
                }
            }
        }
        Ok(())
    }
}

/// Whether a kick is straight, within reach and over no barrier (N12, N13).
fn is_clear(barriers: &SquareSet, from: Square, to: Square) -> bool {
    super::field::RAYS[from.index()].iter().any(|line| {
        let before = line.iter().position(|&square| square == to);
        before.is_some_and(|n| line[..n].iter().all(|&square| !barriers.has(square)))
    })
}

impl View for Mastergoal {
    fn grid(&self, at: &Position, last: Option<Turn>) -> BoardGrid {
        // After a goal that does not end the game all pieces are back at kick-off, so that nothing is marked.
        let marked_squares =
            last.map_or([Square::NONE; 2], |turn| [turn.to, turn.last_kick().unwrap_or(Square::NONE)]);
        let cell = |square: Square| {
            let owner = Side::BOTH.into_iter().find(|&side| at.pieces(side).any(|piece| piece == square));
            let content = match owner {
                Some(side) if self.is_keeper(at, side, square) => CellContent::Keeper,
                Some(_) => CellContent::Stone,
                None if square == at.ball => CellContent::Ball,
                None => CellContent::Empty,
            };
            let marked = content != CellContent::Empty && marked_squares.contains(&square);
            BoardCell { content, owner, marked, terrain: terrain(square) }
        };
        let row = |row: usize| (0..COLUMNS).map(move |column| Square::new(row, column));
        BoardGrid {
            board: BoardKind::Field,
            n_columns: COLUMNS,
            cells: (0..ROWS).rev().flat_map(row).map(cell).collect(),
            column_labels: ('a'..='k').map(String::from).collect(),
            row_labels: (0..ROWS).rev().map(|row| row.to_string()).collect(),
            ..BoardGrid::default()
        }
    }

    /// Only a game to several goals has a score during play.
    fn score(&self, at: &Position) -> Option<[u32; 2]> {
        (self.goals > 1).then(|| at.goals.map(u32::from))
    }

    fn spots(&self, _at: &Position, stages: &[String]) -> Vec<usize> {
        let name = stages.last().map_or("", |stage| stage.strip_prefix('*').unwrap_or(stage));
        match read_square(name) {
            Some((square, "")) => vec![(ROWS - 1 - square.row()) * COLUMNS + square.column()],
            _ => Vec::new(),
        }
    }

    /// The piece on its square, then the ball after each kick; a goal that does not end the game is shown before the
    /// kick-off.
    fn frames(&self, at: &Position, mv: Turn) -> Vec<BoardGrid> {
        let mut shown = *at;
        let mut turn = Turn { kicks: [Square::NONE; MAX_KICKS], ..mv };
        for piece in shown.teams[at.to_move.index()].iter_mut().filter(|piece| **piece == mv.from) {
            *piece = mv.to;
        }
        let mut frames = vec![self.grid(&shown, Some(turn))];
        for (i, ball) in mv.kicks().enumerate() {
            shown.ball = ball;
            turn.kicks[i] = ball;
            frames.push(self.grid(&shown, Some(turn)));
        }
        let mut after = *at;
        self.play(&mut after, mv);
        frames.push(self.grid(&after, Some(mv)));
        frames.dedup();
        frames
    }
}

impl Mastergoal {
    fn is_keeper(&self, at: &Position, side: Side, square: Square) -> bool {
        self.level.has_keeper() && at.teams[side.index()][self.level.n_pieces() - 1] == square
    }
}

fn terrain(square: Square) -> Terrain {
    let any = |test: fn(Square, Side) -> bool| Side::BOTH.into_iter().any(|side| test(square, side));
    match () {
        () if square.goal_of().is_some() => Terrain::Goal,
        () if !square.is_field() => Terrain::Outside,
        () if any(Square::is_special_for) => Terrain::Special,
        () if any(Square::is_in_big_area_of) => Terrain::Area,
        () => Terrain::Plain,
    }
}

impl MastergoalLevel {
    /// The level with this name.
    pub(super) fn parse(text: &str, whole: &str) -> Result<MastergoalLevel, InputError> {
        MastergoalLevel::ALL.into_iter().find(|level| level.name() == text).ok_or_else(|| {
            let known = MastergoalLevel::ALL.map(MastergoalLevel::name);
            InputError::unknown(format!("level of \"{whole}\""), text, "a level", known)
        })
    }
}
