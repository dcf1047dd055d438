//! A player of ours under a course's judge, in the lines of its protocol.

use super::word_reader::WordReader;
use super::{ServeError, ServedPlayer};
use crate::protocols::line::{LineRules, ParsedLine, PlaceholderKind, PlaceholderValues};
use palestra_arena::{Session, TextPlayer};
use palestra_core::{InputError, Seed, Side};
use std::io::{self, BufRead, Write};

/// Plays whatever games a judge begins, until the judge says goodbye or says no more. Words count and lines do not, so that
/// it does not matter how the judge breaks them.
pub fn serve_judge(
    served: &ServedPlayer<'_>,
    rules: &LineRules,
    input: impl BufRead,
    output: impl Write,
) -> Result<(), ServeError> {
    let mut judged = JudgeClient { rules, words: WordReader(input), output };
    let mut n_games = 0;
    while let Some((game, side)) = judged.beginning()? {
        let game = served.games.open(&game)?;
        let player = game.player(served.player)?;
        let seat = ServedGame {
            session: game.session(None, "-")?,
            mover: game.text_player(&player),
            seed: served.seed.child(n_games),
            side,
        };
        if !judged.play(seat)? {
            break;
        }
        n_games += 1;
    }
    Ok(())
}

/// A player of ours in one game.
struct ServedGame {
    session: Box<dyn Session>,
    mover: Box<dyn TextPlayer>,
    seed: Seed,
    side: Side,
}

/// The player's end of a conversation with a judge.
struct JudgeClient<'a, R, W> {
    rules: &'a LineRules,
    words: WordReader<R>,
    output: W,
}

impl<R: BufRead, W: Write> JudgeClient<'_, R, W> {
    /// The next game and our side in it; `None` where there is none any more.
    fn beginning(&mut self) -> Result<Option<(String, Side)>, ServeError> {
        let rules = self.rules;
        let mut values = PlaceholderValues::new();
        for template in &rules.start {
            let Some(line) = self.line(template.n_words())? else { return Ok(None) };
            let class = |name: &str| {
                if matches!(name, "own" | "other") { PlaceholderKind::Word } else { PlaceholderKind::Number }
            };
            values
                .extend(template.find(&line, class).ok_or_else(|| unexpected(&line, &template.to_string()))?);
        }
        let (game, mut side) = rules.game_of(&values);
        if let [template, ..] = &rules.start_of[0][..] {
            let Some(line) = self.line(template.n_words())? else { return Ok(None) };
            side = Some(if line == template.fill(&values) { Side::First } else { Side::Second });
        }
        match (game, side) {
            (Some(game), Some(side)) => Ok(Some((game, side))),
            _ => Err(unexpected(&format!("{values:?}"), "the beginning of a game").into()),
        }
    }

    /// So many words, with blanks between; `None` where the judge says goodbye or says no more. The goodbye is answered.
    fn line(&mut self, n_words: usize) -> io::Result<Option<String>> {
        let mut line = String::new();
        for _ in 0..n_words {
            let Some(word) = self.words.next()? else { return Ok(None) };
            if self.rules.goodbye.as_ref() == Some(&word) {
                if let Some(farewell) = &self.rules.farewell {
                    self.say(farewell)?;
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

    /// Plays a game; says whether there may be another.
    fn play(&mut self, mut seat: ServedGame) -> Result<bool, ServeError> {
        for ply in 0.. {
            let has_ended = seat.session.ending().is_some();
            let mv = if seat.session.to_move() == seat.side && !has_ended {
                let answer = seat.mover.choose(seat.seed.child(ply));
                let mv = answer.expect("a game that has not ended has a move").mv;
                let line = self.rules.line_out(&mv);
                self.say(&line.ok_or_else(|| unexpected(&mv, "a move that the protocol has words for"))?)?;
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
                match self.rules.move_told(&line) {
                    ParsedLine::Move(mv) => mv,
                    _ => return Err(unexpected(&line, "a move of the rival").into()),
                }
            };
            seat.session.play(&mv)?;
            seat.mover.observe(&mv)?;
        }
        Ok(false)
    }

    /// Whether the judge says that the game is over; reads what else belongs to that.
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

    /// One line in one piece: a judge may take what comes in two for two.
    fn say(&mut self, line: &str) -> io::Result<()> {
        self.output.write_all(format!("{line}\n").as_bytes())?;
        self.output.flush()
    }
}

fn unexpected(line: &str, expected: &str) -> InputError {
    InputError::new("what the judge said", line, expected)
}
