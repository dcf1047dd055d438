//! A game between a person and a player, rebuilt from its URL for every request.

use super::choices::{self, ChoiceNode};
use super::hint::{Hint, Suggestion};
use super::messages;
use super::opponents::{OpponentList, OpponentOption, reweighted};
use super::query::{PlayQuery, PlayUrl};
use super::steps::PlayAnimation;
use crate::app::App;
use crate::board;
use crate::http_error::HttpError;
use crate::viewer::Language;
use palestra_arena::{AnyGame, PlayerSpec, Session};
use palestra_core::{Ending, InputError, Seed, Side, format_weight, print_weights};
use std::time::{SystemTime, UNIX_EPOCH};

/// Limit on the moves of a game.
const MAX_MOVES: usize = 4000;
/// Limit on the moves that the opponent makes in one request; the script or a redirect requests further ones.
const MAX_ANSWERS: usize = 6;
/// Limit on the moves that are animated.
const MAX_STEPS: usize = 40;

/// A game in progress.
pub(super) struct PlaySession {
    pub(super) game: Box<dyn AnyGame>,
    pub(super) session: Box<dyn Session>,
    pub(super) address: PlayUrl,
    pub(super) opponent: OpponentOption,
    /// The opponent with its own weights.
    pub(super) original: PlayerSpec,
    /// The opponent with the weights it plays with.
    pub(super) player: PlayerSpec,
    /// The moves so far.
    pub(super) moves: Vec<String>,
    /// The side that made each of them.
    pub(super) sides: Vec<Side>,
    /// The opponent's moves in this request.
    pub(super) answers: Vec<String>,
    pub(super) film: PlayAnimation,
}

impl PlaySession {
    /// Sets up the board and replays the moves of the query.
    pub(super) fn open(app: &App, query: &PlayQuery) -> Result<PlaySession, HttpError> {
        let game = app.config.catalog.open(query.game.as_deref().unwrap_or_default())?;
        let opponents = OpponentList::of(app, &*game)?;
        let key = query.opponent.clone().unwrap_or_else(|| opponents.default_key());
        let opponent = opponents.find(&key)?.clone();
        let original = opponent.player.clone();
        let player = match &query.weights {
            Some(weights) => reweighted(&*game, &original, weights)?,
            None => original.clone(),
        };
        let changed = player.weights().filter(|weights| original.weights() != Some(weights));
        let address = PlayUrl {
            game: game.name(),
            side: query.side(),
            opponent: key,
            weights: changed.map(print_weights),
            seed: query.seed.unwrap_or_else(any_seed),
            setup: query.setup.clone(),
            name: query.name.clone(),
        };
        let given = game.session(address.setup.as_deref(), &query.moves)?.played();
        if given.len() > MAX_MOVES {
            let expected = format!("at most {MAX_MOVES} moves");
            return Err(InputError::new("moves", given.len().to_string(), expected).into());
        }
        let session = game.session(address.setup.as_deref(), "")?;
        let (moves, sides, answers) = (Vec::new(), Vec::new(), Vec::new());
        let film = PlayAnimation::default();
        let mut play =
            PlaySession { game, session, address, opponent, original, player, moves, sides, answers, film };
        let from = query.from.unwrap_or(given.len()).max(given.len().saturating_sub(MAX_STEPS));
        for (ply, mv) in given.into_iter().enumerate() {
            play.play(&mv, ply >= from)?;
        }
        Ok(play)
    }

    /// Plays the opponent's moves while it is its turn.
    pub(super) fn answer(&mut self) -> Result<(), HttpError> {
        while self.answers.len() < MAX_ANSWERS && self.is_opponents_turn() && self.moves.len() < MAX_MOVES {
            let seed = Seed(self.address.seed).child(self.moves.len() as u64);
            let answer = self.session.ask(&self.player, seed)?;
            self.play(&answer.mv, true)?;
            self.answers.push(answer.mv);
        }
        Ok(())
    }

    fn play(&mut self, mv: &str, is_shown: bool) -> Result<(), InputError> {
        let before = self.session.grid();
        let side = self.session.to_move();
        self.session.play(mv)?;
        self.moves.push(mv.to_owned());
        self.sides.push(side);
        if is_shown {
            let frames = self.session.frames();
            self.film.add(mv.to_owned(), side == self.address.side, before, frames);
        }
        Ok(())
    }

    pub(super) fn ending(&self) -> Option<Ending> {
        self.session.ending()
    }

    pub(super) fn is_persons_turn(&self) -> bool {
        self.ending().is_none() && self.session.to_move() == self.address.side
    }

    fn is_opponents_turn(&self) -> bool {
        self.ending().is_none() && self.session.to_move() != self.address.side
    }

    /// The moves before the person's last one: the game after an undo.
    fn moves_after_undo(&self) -> Option<&[String]> {
        let last = self.sides.iter().rposition(|side| *side == self.address.side)?;
        Some(&self.moves[..last])
    }
}

/// A seed for a new game, from the clock.
fn any_seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| u64::from(time.subsec_micros()))
}

/// The state of a game for the page and the script.
pub(super) struct PlayState {
    pub(super) title: &'static str,
    pub(super) game: String,
    /// The URL of the game.
    pub(super) url: String,
    /// The parameters of the URL without the moves, for forms.
    pub(super) pairs: Vec<(&'static str, String)>,
    pub(super) moves: Vec<String>,
    pub(super) answers: Vec<String>,
    /// `person`, `opponent` or `nobody`.
    pub(super) to_move: &'static str,
    pub(super) ending: Option<Ending>,
    /// The points of the person and of the opponent.
    pub(super) score: Option<[u32; 2]>,
    pub(super) status: String,
    pub(super) board: String,
    pub(super) film: PlayAnimation,
    pub(super) choices: Vec<ChoiceNode>,
    pub(super) legal: Vec<String>,
    pub(super) prompts: Vec<String>,
    pub(super) log: Vec<PlayedMove>,
    pub(super) undo: Option<String>,
    pub(super) restart: String,
    pub(super) swap: String,
    pub(super) side: Side,
    pub(super) opponent: OpponentOption,
    /// The player string of the opponent, with the weights it plays with.
    pub(super) player: String,
    pub(super) weights: Vec<WeightSlider>,
    pub(super) hint: Option<Hint>,
    pub(super) would: Option<Suggestion>,
    pub(super) saved: Option<u64>,
}

/// A move of the move list.
pub(super) struct PlayedMove {
    pub(super) mv: String,
    pub(super) is_persons: bool,
    /// The URL of the game after it.
    pub(super) url: String,
}

/// A weight that the person may change.
pub(super) struct WeightSlider {
    pub(super) name: &'static str,
    pub(super) meaning: &'static str,
    /// The first of the successive sliders of one meaning, which shows it.
    pub(super) described_by: usize,
    pub(super) value: f64,
    pub(super) original: f64,
    /// The range of the slider is from `-reach` to `reach`.
    pub(super) reach: f64,
    pub(super) step: f64,
}

impl WeightSlider {
    /// The value as a form field takes it.
    pub(super) fn value_text(&self) -> String {
        format_weight(self.value)
    }

    pub(super) fn original_text(&self) -> String {
        format_weight(self.original)
    }
}

impl PlayState {
    /// Replays the game, plays the opponent's answer, and describes the result.
    pub(super) fn of(app: &App, query: &PlayQuery, language: Language) -> Result<PlayState, HttpError> {
        let mut play = PlaySession::open(app, query)?;
        if !query.stays {
            play.answer()?;
        }
        let is_persons_turn = play.is_persons_turn();
        let hint = match query.wants_hint && is_persons_turn {
            true => Some(Hint::of(&mut play)?),
            false => None,
        };
        let would = match query.wants_would && is_persons_turn {
            true => Some(Suggestion::of(&mut play)?),
            false => None,
        };
        let (ending, side) = (play.ending(), play.address.side);
        let grid = play.session.grid();
        let title =
            format!("{}, {} {}", play.address.game, play.moves.len(), language.pick("moves", "jugadas"));
        let label = |i: usize| messages::cell(language, &grid, i, side);
        let log = (0..play.moves.len()).map(|i| PlayedMove {
            mv: play.moves[i].clone(),
            is_persons: play.sides[i] == side,
            url: play.address.after(&play.moves[..=i]),
        });
        let swapped = PlayUrl { side: side.other(), ..play.address.clone() };
        let to_move = match (&ending, is_persons_turn) {
            (Some(_), _) => "nobody",
            (None, true) => "person",
            (None, false) => "opponent",
        };
        Ok(PlayState {
            title: play.game.family().title,
            game: play.address.game.clone(),
            url: play.address.after(&play.moves),
            pairs: play.address.pairs(),
            to_move,
            score: play.session.score().map(|score| [score[side.index()], score[side.other().index()]]),
            status: messages::status(language, &play.answers, ending.as_ref(), is_persons_turn, side),
            board: board::playable(&grid, &title, label),
            choices: if is_persons_turn { choices::tree(&*play.session) } else { Vec::new() },
            legal: if is_persons_turn { play.session.legal() } else { Vec::new() },
            prompts: messages::prompts(language, grid.board, play.session.stage_names()),
            log: log.collect(),
            undo: play.moves_after_undo().map(|moves| play.address.after(moves)),
            restart: play.address.after(&[]),
            swap: swapped.after(&play.moves),
            weights: weights(&play),
            player: play.player.kind.to_string(),
            opponent: play.opponent,
            saved: query.saved,
            moves: play.moves,
            answers: play.answers,
            film: play.film,
            ending,
            side,
            hint,
            would,
        })
    }

    /// The canonical URL of the page: that of the game, with the parameters of what the page shows besides it.
    pub(super) fn page_url(&self) -> String {
        let mut url = self.url.clone();
        if self.hint.is_some() {
            url.push_str("&hint=1");
        }
        if self.would.is_some() {
            url.push_str("&would=1");
        }
        if let (Some(id), Some(_)) = (self.saved, &self.ending) {
            url.push_str(&format!("&saved={id}"));
        }
        url
    }
}

/// The weights of an opponent with a linear evaluation; empty for others.
fn weights(play: &PlaySession) -> Vec<WeightSlider> {
    let palestra_arena::PlayerKind::Search { evaluation, weights, .. } = &play.player.kind else {
        return Vec::new();
    };
    let evaluations = play.game.evaluations();
    let evaluation = evaluations.into_iter().find(|texts| texts.name == evaluation && texts.linear);
    let original = play.original.weights().unwrap_or_default();
    let largest = original.iter().fold(0.0_f64, |largest, weight| largest.max(weight.abs()));
    let reach = if largest > 0.0 { 2.0 * largest } else { 10.0 };
    let features = evaluation.into_iter().flat_map(|texts| texts.features);
    let free = features.filter(|feature| feature.fixed.is_none());
    let rows = free.zip(weights.iter().zip(original));
    let mut sliders: Vec<WeightSlider> = Vec::new();
    for (i, (feature, (&value, &original))) in rows.enumerate() {
        let before = sliders.last().filter(|slider| slider.meaning == feature.meaning);
        sliders.push(WeightSlider {
            name: feature.name,
            meaning: feature.meaning,
            described_by: before.map_or(i, |slider| slider.described_by),
            value,
            original,
            reach,
            step: reach / 200.0,
        });
    }
    sliders
}
