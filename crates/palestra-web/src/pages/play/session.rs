//! A game between a person and a player, made anew out of its address for every request.

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

/// Most moves of a game.
const MOST_MOVES: usize = 4000;
/// Most moves that the opponent makes for one request; a script or a redirect asks for the others.
const MOST_ANSWERS: usize = 6;
/// Most moves that are shown as a film.
const MOST_STEPS: usize = 40;

/// The game as it stands.
pub(super) struct PlaySession {
    pub(super) game: Box<dyn AnyGame>,
    pub(super) session: Box<dyn Session>,
    pub(super) address: PlayUrl,
    pub(super) opponent: OpponentOption,
    /// The opponent as it was chosen.
    pub(super) original: PlayerSpec,
    /// The opponent with the weights it plays with.
    pub(super) player: PlayerSpec,
    /// The moves so far.
    pub(super) moves: Vec<String>,
    /// Who made each of them.
    pub(super) movers: Vec<Side>,
    /// What the opponent played for this request.
    pub(super) answers: Vec<String>,
    pub(super) film: PlayAnimation,
}

impl PlaySession {
    /// Sets the board up and plays what was played.
    pub(super) fn open(app: &App, wish: &PlayQuery) -> Result<PlaySession, HttpError> {
        let game = app.config.catalog.open(wish.game.as_deref().unwrap_or_default())?;
        let opponents = OpponentList::of(app, &*game)?;
        let key = wish.opponent.clone().unwrap_or_else(|| opponents.default_key());
        let opponent = opponents.find(&key)?.clone();
        let original = game.player(&opponent.player)?;
        let player = match &wish.weights {
            Some(weights) => reweighted(&*game, &original, weights)?,
            None => original.clone(),
        };
        let changed = player.weights().filter(|weights| original.weights() != Some(weights));
        let address = PlayUrl {
            game: game.name(),
            side: wish.side(),
            opponent: key,
            weights: changed.map(print_weights),
            seed: wish.seed.unwrap_or_else(any_seed),
            setup: wish.setup.clone(),
            name: wish.name.clone(),
        };
        let given = game.session(address.setup.as_deref(), &wish.moves)?.played();
        if given.len() > MOST_MOVES {
            let expected = format!("at most {MOST_MOVES} moves");
            return Err(InputError::new("moves", given.len().to_string(), expected).into());
        }
        let session = game.session(address.setup.as_deref(), "")?;
        let (moves, movers, answers) = (Vec::new(), Vec::new(), Vec::new());
        let film = PlayAnimation::default();
        let mut table =
            PlaySession { game, session, address, opponent, original, player, moves, movers, answers, film };
        let from = wish.from.unwrap_or(given.len()).max(given.len().saturating_sub(MOST_STEPS));
        for (ply, mv) in given.into_iter().enumerate() {
            table.play(&mv, ply >= from)?;
        }
        Ok(table)
    }

    /// Lets the opponent move while it is its turn.
    pub(super) fn answer(&mut self) -> Result<(), HttpError> {
        while self.answers.len() < MOST_ANSWERS && self.is_opponents_turn() && self.moves.len() < MOST_MOVES {
            let seed = Seed(self.address.seed).child(self.moves.len() as u64);
            let answer = self.session.ask(&self.player.kind.to_string(), seed)?;
            self.play(&answer.mv, true)?;
            self.answers.push(answer.mv);
        }
        Ok(())
    }

    fn play(&mut self, mv: &str, is_shown: bool) -> Result<(), InputError> {
        let before = self.session.grid();
        let mover = self.session.to_move();
        self.session.play(mv)?;
        self.moves.push(mv.to_owned());
        self.movers.push(mover);
        if is_shown {
            let frames = self.session.frames();
            self.film.add(mv.to_owned(), mover == self.address.side, before, frames);
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

    /// The moves up to the person's last one, without it: what is left when it is taken back.
    fn taken_back(&self) -> Option<&[String]> {
        let last = self.movers.iter().rposition(|mover| *mover == self.address.side)?;
        Some(&self.moves[..last])
    }
}

/// Different for every game that somebody begins.
fn any_seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| u64::from(time.subsec_micros()))
}

/// Everything a page or a script is told about a table.
pub(super) struct PlayState {
    pub(super) title: &'static str,
    pub(super) game: String,
    /// The address of the game as it stands.
    pub(super) url: String,
    /// All but the moves, for forms.
    pub(super) pairs: Vec<(&'static str, String)>,
    pub(super) moves: Vec<String>,
    pub(super) answers: Vec<String>,
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
    /// The opponent's key and the player that it stands for.
    pub(super) opponent: OpponentOption,
    pub(super) player: String,
    pub(super) weights: Vec<WeightSlider>,
    pub(super) hint: Option<Hint>,
    pub(super) would: Option<Suggestion>,
    pub(super) saved: Option<u64>,
}

/// A move in the list of those that were played.
pub(super) struct PlayedMove {
    pub(super) mv: String,
    pub(super) is_persons: bool,
    /// The game right after it.
    pub(super) url: String,
}

/// A weight that the person may change.
pub(super) struct WeightSlider {
    pub(super) name: &'static str,
    pub(super) meaning: &'static str,
    pub(super) value: f64,
    pub(super) original: f64,
    /// The slider goes from the negative of this up to it.
    pub(super) reach: f64,
    pub(super) step: f64,
}

impl WeightSlider {
    /// As a field of a form takes it.
    pub(super) fn value_text(&self) -> String {
        format_weight(self.value)
    }

    pub(super) fn original_text(&self) -> String {
        format_weight(self.original)
    }
}

impl PlayState {
    /// Plays the request, and says what came of it.
    pub(super) fn of(app: &App, wish: &PlayQuery, language: Language) -> Result<PlayState, HttpError> {
        let mut table = PlaySession::open(app, wish)?;
        if !wish.stays {
            table.answer()?;
        }
        let is_persons_turn = table.is_persons_turn();
        let hint = match wish.wants_hint && is_persons_turn {
            true => Some(Hint::of(&mut table)?),
            false => None,
        };
        let would = match wish.wants_would && is_persons_turn {
            true => Some(Suggestion::of(&mut table)?),
            false => None,
        };
        let (ending, side) = (table.ending(), table.address.side);
        let grid = table.session.grid();
        let title =
            format!("{}, {} {}", table.address.game, table.moves.len(), language.pick("moves", "jugadas"));
        let label = |i: usize| messages::cell(language, &grid, i, side);
        let log = (0..table.moves.len()).map(|i| PlayedMove {
            mv: table.moves[i].clone(),
            is_persons: table.movers[i] == side,
            url: table.address.after(&table.moves[..=i]),
        });
        let swapped = PlayUrl { side: side.other(), ..table.address.clone() };
        let to_move = match (&ending, is_persons_turn) {
            (Some(_), _) => "nobody",
            (None, true) => "person",
            (None, false) => "opponent",
        };
        Ok(PlayState {
            title: table.game.family().title,
            game: table.address.game.clone(),
            url: table.address.after(&table.moves),
            pairs: table.address.pairs(),
            to_move,
            score: table.session.score().map(|score| [score[side.index()], score[side.other().index()]]),
            status: messages::status(language, &table.answers, ending.as_ref(), is_persons_turn, side),
            board: board::playable(&grid, &title, label),
            choices: if is_persons_turn { choices::tree(&*table.session) } else { Vec::new() },
            legal: if is_persons_turn { table.session.legal() } else { Vec::new() },
            prompts: messages::prompts(language, grid.board, table.session.stage_names()),
            log: log.collect(),
            undo: table.taken_back().map(|moves| table.address.after(moves)),
            restart: table.address.after(&[]),
            swap: swapped.after(&table.moves),
            weights: weights(&table),
            player: table.player.kind.to_string(),
            opponent: table.opponent,
            saved: wish.saved,
            moves: table.moves,
            answers: table.answers,
            film: table.film,
            ending,
            side,
            hint,
            would,
        })
    }

    /// Where a page stands that shows this: what it shows besides the game is part of it.
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

/// The weights of an opponent that plays by a weighted sum.
fn weights(table: &PlaySession) -> Vec<WeightSlider> {
    let palestra_arena::PlayerKind::Search { evaluation, weights, .. } = &table.player.kind else {
        return Vec::new();
    };
    let evaluations = table.game.evaluations();
    let found = evaluations.into_iter().find(|texts| texts.name == evaluation && texts.linear);
    let original = table.original.weights().unwrap_or_default();
    let largest = original.iter().fold(0.0_f64, |most, weight| most.max(weight.abs()));
    let reach = if largest > 0.0 { 2.0 * largest } else { 10.0 };
    let free = found.into_iter().flat_map(|texts| texts.features).filter(|feature| feature.fixed.is_none());
    let rows = free.zip(weights.iter().zip(original));
    rows.map(|(feature, (&value, &original))| WeightSlider {
        name: feature.name,
        meaning: feature.meaning,
        value,
        original,
        reach,
        step: reach / 200.0,
    })
    .collect()
}
