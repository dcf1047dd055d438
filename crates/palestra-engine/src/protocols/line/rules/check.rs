//! What a file of a line protocol must fulfill beyond the types of its keys.

use super::{LineRules, LineTemplate, MOVE};
use crate::protocols::line::state::clock_names;
use palestra_core::InputError;
use palestra_settings::Document;

impl LineRules {
    /// Checks that all placeholders are known, that all forms of a move have the same, and that replies have a line.
    pub(super) fn check(&self, file: &Document) -> Result<(), InputError> {
        let clocks: Vec<String> = clock_names().collect();
        let of_game = self.games.iter().flat_map(LineTemplate::placeholders);
        let defaults = self.defaults.iter().map(|(name, _)| name.as_str());
        let of_game: Vec<&str> = of_game.chain(defaults).chain(["own", "other", "side"]).collect();
        let of_move: Vec<&str> = self.fields.keys().map(String::as_str).collect();
        let of_state: &[&str] = if self.state.is_some() { &["state"] } else { &[] };
        let of_history: &[&str] = if self.history.is_some() { &["history"] } else { &[] };
        let of_next: &[&str] = if self.next.is_empty() { &[] } else { &["next"] };
        let clocks: Vec<&str> = clocks.iter().map(String::as_str).collect();
        let of_turn = [&of_game, of_state, of_history, &clocks].concat();
        let of_move_in = [&of_move, of_state, of_next].concat();
        let starts = [&self.start, &self.start_first, &self.start_second].into_iter().flatten();
        let history = self.history.as_ref().map(|history| &history.token);
        let known = (self.handshake.iter().map(|line| ("handshake", line, &[][..])))
            .chain(starts.map(|line| ("start", line, &of_game[..])))
            .chain(self.turn.iter().map(|line| ("turn", line, &of_turn[..])))
            .chain([("move", &self.token, &of_move[..]), ("move_out", &self.move_out, &of_move)])
            .chain(self.move_in.iter().map(|line| ("move_in", line, &of_move_in[..])))
            .chain(history.map(|line| ("history", line, &of_move[..])));
        for (key, template, known) in known {
            if let Some(name) = template.placeholders().find(|name| !known.contains(name)) {
                let bad = InputError::unknown(key, name, "a known placeholder", known.iter().copied());
                let location = file.place_of(key).location.unwrap_or_default();
                return Err(bad.at(location));
            }
        }
        self.check_moves(file)?;
        let lines: Vec<String> = self.lines().map(ToString::to_string).collect();
        if let Some((line, _)) = self.replies.iter().find(|(line, _)| !lines.contains(line)) {
            let expected = "a line of handshake, start or turn";
            let bad = InputError::unknown("replies", line, expected, lines.iter().map(String::as_str));
            return Err(bad.at(file.place_of("replies").location.unwrap_or_default()));
        }
        if let Some(word) = self.next.first().filter(|_| self.next.len() != 3) {
            let expected =
                "three words, for the program, the opponent and neither, as in [\"YOU\", \"OPP\", \"END\"]";
            return Err(file.place_of("next").invalid_value(word, expected));
        }
        Ok(())
    }

    /// Checks that a program can know every move, and that it and the program's answer say all of it.
    fn check_moves(&self, file: &Document) -> Result<(), InputError> {
        if self.move_in.is_none() && !self.tells_all() {
            let expected = format!("{MOVE}, or a turn with {{history}} or {{state}}");
            return Err(file.missing("move_in", expected));
        }
        if self.move_in.is_none() && self.tells_own_moves {
            let reason = "there is no move_in, which says how moves are sent";
            return Err(file.place_of("tells_own_moves").not_allowed(reason));
        }
        let history = self.history.as_ref().map(|history| &history.token);
        for template in self.move_in.iter().chain([&self.move_out]).chain(history) {
            let lacks = |name: &&str| !template.placeholders().any(|other| other == *name);
            if let Some(name) = self.token.placeholders().find(lacks) {
                let expected = "a placeholder that move, move_in, move_out and history all have";
                return Err(InputError::new(format!("move in {}", self.name), name, expected));
            }
        }
        Ok(())
    }

    /// The lines that can have an answer.
    pub(super) fn lines(&self) -> impl Iterator<Item = &LineTemplate> {
        [&self.handshake, &self.start, &self.start_first, &self.start_second, &self.turn]
            .into_iter()
            .flatten()
    }
}
