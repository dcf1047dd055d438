//! A built-in player that answers a course's judge in its line protocol.

use super::word_reader::WordReader;
use super::{ServeError, ServedPlayer};
use crate::protocols::line::{LineRules, ParsedLine, PlaceholderKind, PlaceholderValues};
use palestra_arena::{Session, TextPlayer};
use palestra_core::{InputError, Seed, Side};
use std::io::{self, BufRead, Write};

/// Plays the games that a judge begins, until the judge's `goodbye` line or the end of input. Reads word by word: where
/// the judge breaks lines does not matter. Returns the number of games.
pub fn serve_judge(
    served: &ServedPlayer<'_>,
    rules: &LineRules,
    input: impl BufRead,
    output: impl Write,
) -> Result<u64, ServeError> {
    if !rules.is_plain() {
        let reason = "its judge sends more than moves, which built-in players do not answer";
        return Err(InputError::not_allowed(format!("protocol {}", rules.name), reason).into());
    }
    let mut client = JudgeClient { rules, words: WordReader(input), output };
    let mut n_games = 0;
    while let Some((game, side)) = client.read_start()? {
        let game = served.games.open(&game)?;
        let player = game.player(served.player)?;
        let served_game = ServedGame {
            session: game.session(None, "-")?,
            player: game.text_player(&player),
            seed: served.seed.child(n_games),
            side,
        };
        if !client.play(served_game)? {
            break;
        }
        n_games += 1;
    }
    Ok(n_games)
}

/// A built-in player in one game.
struct ServedGame {
    session: Box<dyn Session>,
    player: Box<dyn TextPlayer>,
    seed: Seed,
    side: Side,
}

/// The player's end of the connection to a judge.
struct JudgeClient<'a, R, W> {
    rules: &'a LineRules,
    words: WordReader<R>,
    output: W,
}

impl<R: BufRead, W: Write> JudgeClient<'_, R, W> {
    /// The next game and the player's side in it; `None` when no more games follow.
    fn read_start(&mut self) -> Result<Option<(String, Side)>, ServeError> {
        let rules = self.rules;
        let mut values = PlaceholderValues::new();
        for template in &rules.start {
            let Some(line) = self.line(template.n_words())? else { return Ok(None) };
            let kind = |name: &str| {
                if matches!(name, "own" | "other") { PlaceholderKind::Word } else { PlaceholderKind::Number }
            };
            values
                .extend(template.find(&line, kind).ok_or_else(|| unexpected(&line, &template.to_string()))?);
        }
        let (game, mut side) = rules.game_of(&values);
        if let [template, ..] = rules.start_of(Side::First) {
            let Some(line) = self.line(template.n_words())? else { return Ok(None) };
            side = Some(if line == template.fill(&values) { Side::First } else { Side::Second });
        }
        match (game, side) {
            (Some(game), Some(side)) => Ok(Some((game, side))),
            _ => Err(unexpected(&format!("{values:?}"), "a game and a side of this protocol").into()),
        }
    }

    /// The next `n_words` words, joined by blanks; `None` at the judge's `goodbye` line, which is answered, and at the
    /// end of input.
    fn line(&mut self, n_words: usize) -> io::Result<Option<String>> {
        let mut line = String::new();
        for _ in 0..n_words {
            let Some(word) = self.words.next()? else { return Ok(None) };
            if self.rules.goodbye.as_ref() == Some(&word) {
                if let Some(farewell) = &self.rules.farewell {
                    self.send(farewell)?;
                }
                return Ok(None);
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&word);
        }
        Ok(Some(line))
    }

    /// Plays a game; returns whether another may follow.
    fn play(&mut self, mut game: ServedGame) -> Result<bool, ServeError> {
        for ply in 0.. {
            let has_ended = game.session.ending().is_some();
            let mv = if game.session.to_move() == game.side && !has_ended {
                let answer = game.player.choose(game.seed.child(ply));
                let mv = answer.expect("a game that has not ended has a move").mv;
                let line = self.rules.line_out(&mv);
                self.send(&line.ok_or_else(|| unexpected(&mv, "a move that the protocol can express"))?)?;
                mv
            } else {
                let Some(mut line) = self.line(1)? else { return Ok(false) };
                if self.is_ending(&line)? {
                    return Ok(true);
                }
                if self.rules.n_words_in() > 1 {
                    let Some(rest) = self.line(self.rules.n_words_in() - 1)? else { return Ok(false) };
                    line = format!("{line} {rest}");
                }
                match self.rules.parse_move_in(&line) {
                    ParsedLine::Move(mv) => mv,
                    _ => return Err(unexpected(&line, "a move of the opponent").into()),
                }
            };
            game.session.play(&mv)?;
            game.player.observe(&mv)?;
        }
        Ok(false)
    }

    /// Whether the word begins one of the judge's lines at the end of a game; reads the rest of them.
    fn is_ending(&mut self, word: &str) -> io::Result<bool> {
        let endings = &self.rules.endings;
        for lines in [&endings.won, &endings.lost, &endings.drawn] {
            let mut words = lines.iter().flat_map(|line| line.split_whitespace());
            if words.next() == Some(word) {
                for _ in words {
                    self.words.next()?;
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Writes a line in one call: a judge may take two reads for two lines.
    fn send(&mut self, line: &str) -> io::Result<()> {
        self.output.write_all(format!("{line}\n").as_bytes())?;
        self.output.flush()
    }
}

fn unexpected(line: &str, expected: &str) -> InputError {
    InputError::new("message of the judge", line, expected)
}
