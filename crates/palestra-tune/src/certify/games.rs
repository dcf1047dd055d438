//! The games of a gauntlet as trees that grow where somebody looks: what the player chooses among at each of its turns.

use palestra_arena::{AnyGame, MatchPlan, Session};
use palestra_core::{InputError, Seed, Side};

/// Where a game stands when it is the player's turn, or over.
#[derive(Clone, Debug)]
pub(super) enum GameTreeNode {
    /// Nobody has looked yet.
    Unknown,
    /// Over, and worth so much to the player.
    Over(f64),
    /// The player chooses among moves that lead to different features, those first that win where all are level.
    Turn(Vec<GameTreeMove>),
}

/// A move that may be chosen.
#[derive(Clone, Debug)]
pub(super) struct GameTreeMove {
    /// What the features count after it, in their units.
    pub(super) features: Vec<i32>,
    /// The place that it leads to.
    pub(super) to: usize,
}

/// One game against one rival, with all that has been seen of it.
pub(super) struct GameTree<'a> {
    game: &'a dyn AnyGame,
    rival: &'a str,
    side: Side,
    /// The player with all weights 1: what a feature adds to its sum is the feature in its unit.
    ones: &'a str,
    rules: &'a CertificationRules,
    places: Vec<GameTreeNode>,
    /// How one gets there, for each place.
    ways: Vec<PathStep>,
}

/// The last moves on the way to a place.
#[derive(Clone, Debug, Default)]
struct PathStep {
    /// The place before; the first place comes from itself.
    from: usize,
    /// The player's move there, none at the first place; then the rival's, once somebody has looked.
    moves: Vec<String>,
}

/// What holds in all games.
#[derive(Clone, Debug)]
pub(super) struct CertificationRules {
    /// What a won, a drawn and a lost game are worth.
    pub(super) points: [f64; 3],
    /// Whether the last of level moves is played, and not the first.
    pub(super) last_of_ties: bool,
    /// The dice of rivals, which have none.
    pub(super) seed: Seed,
}

impl<'a> GameTree<'a> {
    /// A game of which nothing is known.
    pub(super) fn new(
        game: &'a dyn AnyGame,
        rival: &'a str,
        side: Side,
        ones: &'a str,
        rules: &'a CertificationRules,
    ) -> GameTree<'a> {
        let (places, ways) = (vec![GameTreeNode::Unknown], vec![PathStep::default()]);
        GameTree { game, rival, side, ones, rules, places, ways }
    }

    /// The board.
    pub(super) fn board(&self) -> String {
        self.game.name()
    }

    /// How many places are known.
    pub(super) fn n_positions(&self) -> usize {
        self.places.len()
    }

    /// What there is at a place; it is looked at if nobody has.
    pub(super) fn at(&mut self, place: usize) -> Result<&GameTreeNode, InputError> {
        if matches!(self.places[place], GameTreeNode::Unknown) {
            self.places[place] = self.look(place)?;
        }
        Ok(&self.places[place])
    }

    /// What the game is worth to a player with these weights, whose sums are made as players make them.
    pub(super) fn points_of(&mut self, weights: &[f64]) -> Result<f64, InputError> {
        let mut place = 0;
        loop {
            match self.at(place)? {
                GameTreeNode::Unknown => unreachable!("somebody has just looked"),
                GameTreeNode::Over(worth) => return Ok(*worth),
                GameTreeNode::Turn(choices) => place = preferred(choices, weights).to,
            }
        }
    }

    fn look(&mut self, place: usize) -> Result<GameTreeNode, InputError> {
        let mut session = self.game.session(None, "-")?;
        self.ways_to(place).into_iter().flatten().try_for_each(|mv| session.play(mv))?;
        let answers = self.answers(session.as_mut())?;
        self.ways[place].moves.extend(answers);
        if let Some(ending) = session.ending() {
            let [win, draw, loss] = self.rules.points;
            return Ok(GameTreeNode::Over(match ending.winner {
                None => draw,
                Some(winner) if winner == self.side => win,
                Some(_) => loss,
            }));
        }
        let mut choices: Vec<GameTreeMove> = Vec::new();
        let mut reasons = session.explain(self.ones, self.rules.seed)?.moves;
        if self.rules.last_of_ties {
            reasons.reverse();
        }
        for reason in reasons {
            let features: Vec<i32> = reason.contributions.iter().map(|by| *by as i32).collect();
            // Of two moves that look the same the one is never played.
            if choices.iter().all(|choice| choice.features != features) {
                choices.push(GameTreeMove { features, to: self.places.len() });
                self.places.push(GameTreeNode::Unknown);
                self.ways.push(PathStep { from: place, moves: vec![reason.mv] });
            }
        }
        Ok(GameTreeNode::Turn(choices))
    }

    /// The moves on the way to a place, from the start.
    fn ways_to(&self, mut place: usize) -> Vec<&[String]> {
        let mut ways = vec![&self.ways[place].moves[..]];
        while place != 0 {
            place = self.ways[place].from;
            ways.push(&self.ways[place].moves);
        }
        ways.reverse();
        ways
    }

    /// Plays the rival's moves until it is the player's turn, or the game is over.
    fn answers(&self, session: &mut dyn Session) -> Result<Vec<String>, InputError> {
        let mut moves = Vec::new();
        while session.ending().is_none() && session.to_move() != self.side {
            let answer = session.ask(self.rival, self.rules.seed)?;
            session.play(&answer.mv)?;
            moves.push(answer.mv);
        }
        Ok(moves)
    }
}

/// What a player with these weights chooses.
pub(super) fn preferred<'c>(choices: &'c [GameTreeMove], weights: &[f64]) -> &'c GameTreeMove {
    let value = |choice: &GameTreeMove| {
        choice
            .features
            .iter()
            .zip(weights)
            .fold(0.0, |sum, (&feature, weight)| sum + weight * f64::from(feature))
    };
    let mut best = (&choices[0], value(&choices[0]));
    for choice in &choices[1..] {
        let value = value(choice);
        if value > best.1 {
            best = (choice, value);
        }
    }
    best.0
}

/// What a player really scores against all rivals on all boards, from both sides.
pub(super) fn played(
    games: &[Box<dyn AnyGame>],
    rivals: &[String],
    player: &str,
    worth: [f64; 3],
) -> Result<f64, InputError> {
    let mut sum = 0.0;
    for game in games {
        for rival in rivals {
            let record = game.run_match(&MatchPlan::new([player, rival], 2, Seed(1)), &())?;
            let counts = [record.wins, record.draws, record.losses];
            sum += counts.iter().zip(worth).map(|(&n, worth)| n as f64 * worth).sum::<f64>();
        }
    }
    Ok(sum)
}
