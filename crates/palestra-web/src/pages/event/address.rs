//! URLs of the pages of an event. Names of players may contain any character.

use crate::url::encoded;

/// The URLs of one event.
#[derive(Clone, Debug)]
pub(crate) struct EventUrls {
    base: String,
}

impl EventUrls {
    pub(crate) fn of(event: &str) -> EventUrls {
        EventUrls { base: format!("/event/{}", encoded(event)) }
    }

    /// The page of the event for `""`, or a page or file below it: `"/games.pgn"`.
    pub(crate) fn page(&self, rest: &str) -> String {
        format!("{}{rest}", self.base)
    }

    /// The page of a player.
    pub(crate) fn player(&self, name: &str) -> String {
        // Browsers resolve `.` and `..` in a path even if they are percent-encoded.
        if matches!(name, "" | "." | "..") {
            return format!("{}/player?name={}", self.base, encoded(name));
        }
        format!("{}/player/{}", self.base, encoded(name))
    }

    /// The games of two players, or of one.
    pub(super) fn games(&self, player: &str, opponent: Option<&str>) -> String {
        let opponent = opponent.map_or_else(String::new, |name| format!("&opponent={}", encoded(name)));
        format!("{}/games?player={}{opponent}", self.base, encoded(player))
    }

    /// The games of two players in a round, which counts from 0.
    pub(super) fn games_in(&self, players: [&str; 2], round: u32) -> String {
        format!("{}&round={}", self.games(players[0], Some(players[1])), round + 1)
    }
}

/// The page of a game.
pub(super) fn game(id: i64) -> String {
    format!("/game/{id}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_url() {
        let at = EventUrls::of("cup");
        let check = |name: &str, expected: &str| assert_eq!(at.player(name), expected);
        check("ana", "/event/cup/player/ana");
        check("a/../b?c#d%2f", "/event/cup/player/a%2F..%2Fb%3Fc%23d%252f");
        check("ñ \"", "/event/cup/player/%C3%B1%20%22");
        check("..", "/event/cup/player?name=..");
        check("", "/event/cup/player?name=");
        assert_eq!(at.games_in(["a&b", "="], 2), "/event/cup/games?player=a%26b&opponent=%3D&round=3");
    }
}
