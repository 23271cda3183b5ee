//! The session of a game: the record with its players, and the searches that are due.

use std::time::Duration;

use tesuji_game::{Ending, Game, Record, Side, tags};
use tesuji_search::{Choice, Limits, Time};

use super::player::Participant;
use super::save::SavedGame;
use super::search::{BackgroundSearch, SearchEnd};
use super::{MoveOnBoard, NativeView, SearchPurpose, SearchStatus, Session, SessionAction, SessionEvent, SessionView};
use crate::board::legal_moves;
use crate::{
    AnalysisUpdate, BoardDescription, CellContent, Counting, EngineChoice, Error, GameEnding, Playable, SideName,
};

/// Whether the mover may claim the win.
type Claim<G> = fn(&G, &<G as Game>::Rules) -> bool;

/// The number of moves that are valued.
const VALUE_LINES: usize = 5;
/// Values of a position are searched for at most this long: a screen may be left alone.
const VALUES_TIME: Duration = Duration::from_secs(30);

/// A session over a game.
pub(super) struct GameSession<G: Playable> {
    record: Record<G>,
    /// Moves taken back, the next one last.
    undone: Vec<G::Move>,
    players: [Participant<G>; 2],
    /// Searches for hints and values, and moves for a human who asks.
    assistant: Participant<G>,
    save: Option<SavedGame>,
    claim: Option<Claim<G>>,
    counting: Option<Counting<G>>,
    /// The position that is viewed, if it is not the latest one.
    viewed_ply: Option<usize>,
    viewed: Record<G>,
    legal: Vec<(G::Move, String)>,
    view: SessionView,
    /// Whether the engine is to move for a human.
    assist: bool,
    hint: bool,
    search: Option<BackgroundSearch<G>>,
    /// The final values of a version.
    final_values: Option<(u64, AnalysisUpdate)>,
    /// Counts changes of the viewed position: results of searches for an older version are dropped.
    version: u64,
}

impl<G: Playable> GameSession<G> {
    pub(super) fn new(
        mut record: Record<G>,
        players: [Participant<G>; 2],
        assistant: Participant<G>,
        save: Option<SavedGame>,
        claim: Option<Claim<G>>,
        counting: Option<Counting<G>>,
    ) -> GameSession<G> {
        for (tag, player) in [tags::FIRST, tags::SECOND].into_iter().zip(&players) {
            if record.tag(tag).is_none() {
                record.set_tag(tag, player.name.clone());
            }
        }
        let view = SessionView {
            game: G::NAME.to_owned(),
            players: players.each_ref().map(Participant::info),
            moves: Vec::new(),
            to_move: None,
            ending: None,
            ply: 0,
            is_latest: true,
            position: String::new(),
            mover: None,
            legal: Vec::new(),
            on_board: Vec::new(),
            board: BoardDescription::of(&record),
            score: None,
            paused: false,
            values: false,
            saved: None,
            save_error: None,
            native: None,
        };
        let mut session = GameSession {
            viewed: record.clone(),
            record,
            undone: Vec::new(),
            players,
            assistant,
            save,
            claim,
            counting,
            viewed_ply: None,
            legal: Vec::new(),
            view,
            assist: false,
            hint: false,
            search: None,
            final_values: None,
            version: 0,
        };
        session.refresh();
        session
    }

    /// Brings the view up to date with the game.
    fn refresh(&mut self) {
        self.version += 1;
        (self.hint, self.assist) = (false, false);
        self.viewed = match self.viewed_ply {
            Some(ply) => self.record_at(ply),
            None => self.record.clone(),
        };
        self.legal = legal_moves(&self.viewed);
        let side_to_move = |record: &Record<G>| record.ending().is_none().then(|| SideName::from(record.now().mover()));
        let mut position = self.record.start().clone();
        let mut moves = Vec::with_capacity(self.record.plies().len());
        for mv in self.record.moves() {
            moves.push(position.print_move(mv));
            position.play(mv);
        }
        let view = &mut self.view;
        view.ply = self.viewed_ply.unwrap_or(moves.len());
        view.is_latest = self.viewed_ply.is_none();
        view.moves = moves;
        view.to_move = side_to_move(&self.record);
        view.ending = GameEnding::of(&self.record, self.counting);
        view.position = self.viewed.now().print();
        view.mover = side_to_move(&self.viewed);
        view.legal = self.legal.iter().map(|(_, text)| text.clone()).collect();
        let now = self.viewed.now();
        let on_board = |(mv, text): &(G::Move, String)| MoveOnBoard {
            text: text.clone(),
            cells: now.cells(*mv),
            dropped: now.dropped(*mv).map(str::to_owned),
        };
        view.on_board = self.legal.iter().map(on_board).collect();
        view.board = BoardDescription::of(&self.viewed);
        view.score = self.counting.map(|counting| counting.text(self.viewed.now()));
        self.view.native = self.native_view();
    }

    /// The game in the notation of the country where it is at home.
    fn native_view(&self) -> Option<NativeView> {
        let words = G::native()?;
        let mut position = self.record.start().clone();
        let mut before = None;
        let mut moves = Vec::with_capacity(self.record.plies().len());
        for mv in self.record.moves() {
            moves.push(position.native_move(mv, before)?);
            position.play(mv);
            before = Some(mv);
        }
        let (now, before) = (self.viewed.now(), self.last_viewed_move());
        Some(NativeView {
            language: words.language.to_owned(),
            players: words.players.map(str::to_owned),
            rows: words.rows.iter().map(|&label| label.to_owned()).collect(),
            moves,
            legal: self.legal.iter().map(|(mv, _)| now.native_move(*mv, before)).collect::<Option<_>>()?,
        })
    }

    /// The move that led to the viewed position.
    fn last_viewed_move(&self) -> Option<G::Move> {
        self.viewed.plies().last().map(|ply| ply.mv)
    }

    /// The legal move that this is in the notation of the country where the game is at home; the mark of the side may
    /// be missing.
    fn native_text(&self, text: &str) -> Option<&str> {
        let bare = |text: &str| text.trim_start_matches(['▲', '△', '☗', '☖']).to_owned();
        let wanted = bare(text);
        let at = self.view.native.as_ref()?.legal.iter().position(|known| bare(known) == wanted)?;
        self.view.legal.get(at).map(String::as_str)
    }

    fn legal_move(&self, text: &str) -> Option<G::Move> {
        self.legal.iter().find(|(_, known)| known.eq_ignore_ascii_case(text)).map(|(mv, _)| *mv)
    }

    /// The game went on: shows the latest position and saves.
    fn changed(&mut self) -> Result<(), Error> {
        self.viewed_ply = None;
        self.refresh();
        self.save()
    }

    fn save(&mut self) -> Result<(), Error> {
        let Some(save) = &mut self.save else { return Ok(()) };
        let written = save.write(&self.record);
        self.view.save_error = written.as_ref().err().map(ToString::to_string);
        self.view.saved = save.path();
        written
    }

    fn mover(&self) -> Side {
        self.record.now().mover()
    }

    fn play_text(&mut self, text: &str) -> Result<(), Error> {
        if !self.view.is_latest {
            return Err(Error::invalid(format!("{text:?}: this is an earlier position")));
        }
        if self.view.awaits_engine() && !self.view.paused {
            return Err(Error::invalid(format!("{text:?}: it is the engine's move")));
        }
        match text.to_ascii_lowercase().as_str() {
            "resign" => return self.resign(),
            "win" | "declare" if self.claim.is_some() => return self.declare(),
            _ => {}
        }
        let text = self.native_text(text).unwrap_or(text).to_owned();
        self.record.push_text(&text).map_err(Error::invalid)?;
        self.undone.clear();
        self.changed()
    }

    /// Plays a move of an engine and notes its time and value.
    fn play_engine_move(&mut self, mv: G::Move, used: Duration, value: Option<f64>) -> Result<(), Error> {
        let mover = self.mover();
        self.players[mover.index()].use_time(used);
        self.record.push(mv).map_err(Error::invalid)?;
        if let Some(note) = self.record.note().map(|note| note.time(used))
            && let Some(value) = value
        {
            note.value(value);
        }
        self.undone.clear();
        self.changed()
    }

    fn resign(&mut self) -> Result<(), Error> {
        self.end(Ending { winner: Some(!self.mover()), reason: "resignation" })
    }

    fn declare(&mut self) -> Result<(), Error> {
        let allowed = self.claim.is_some_and(|claim| claim(self.record.now(), &self.record.path().rules));
        match allowed {
            true => self.end(Ending { winner: Some(self.mover()), reason: "declaration" }),
            false => Err(Error::invalid("a win cannot be declared here")),
        }
    }

    fn end(&mut self, ending: Ending) -> Result<(), Error> {
        self.record.end(ending).map_err(Error::invalid)?;
        self.changed()
    }

    /// Takes back to the viewed position. At the latest one: a resignation or a declaration, or else to where a human
    /// can choose again: its last move and the reply; one move if there is no engine or no human.
    fn undo(&mut self) -> Result<(), Error> {
        let plies = self.record.plies().len();
        let played = self.record_at(plies);
        if self.viewed_ply.is_none() && self.record.ending().is_some() && played.ending().is_none() {
            self.record = played;
            return self.changed();
        }
        if plies == 0 {
            return Err(Error::invalid("there is nothing to take back"));
        }
        let mut keep = self.viewed_ply.unwrap_or(plies - 1);
        let humans = self.players.iter().filter(|player| player.is_human()).count();
        if self.viewed_ply.is_none() && humans == 1 {
            // Sides do not always alternate: a pass may be implied.
            let human_moves = |ply| self.players[self.record_at(ply).now().mover().index()].is_human();
            while keep > 0 && !human_moves(keep) {
                keep -= 1;
            }
        }
        let later: Vec<G::Move> = self.record.moves().skip(keep).collect();
        self.undone.extend(later.into_iter().rev());
        self.record = self.record_at(keep);
        self.changed()
    }

    fn redo(&mut self) -> Result<(), Error> {
        let mv = self.undone.pop().ok_or_else(|| Error::invalid("there is nothing to play again"))?;
        self.record.push(mv).map_err(Error::invalid)?;
        self.changed()
    }

    /// The game after so many plies, with all notes.
    fn record_at(&self, plies: usize) -> Record<G> {
        let mut record = Record::with_rules(self.record.start().clone(), self.record.path().rules.clone());
        record.tags = self.record.tags.clone();
        record.comment = self.record.comment.clone();
        for ply in self.record.plies().iter().take(plies) {
            if record.push(ply.mv).is_err() {
                break;
            }
            if let Some(mut note) = record.note() {
                if let Some(time) = ply.time {
                    note = note.time(time);
                }
                if let Some(value) = ply.value {
                    note = note.value(value);
                }
                if !ply.comment.is_empty() {
                    note.comment(&ply.comment);
                }
            }
        }
        record
    }

    /// The search that is due.
    fn wanted_search(&self) -> Option<SearchPurpose> {
        let view = &self.view;
        if view.is_latest && view.awaits_engine() && !view.paused {
            return Some(SearchPurpose::Move);
        }
        match (self.assist, self.hint, view.values) {
            _ if view.mover.is_none() => None,
            (true, ..) => Some(SearchPurpose::Assist),
            (_, true, _) => Some(SearchPurpose::Hint),
            (_, _, true) => self.final_values().is_none().then_some(SearchPurpose::Values),
            _ => None,
        }
    }

    fn final_values(&self) -> Option<&AnalysisUpdate> {
        self.final_values.as_ref().filter(|(version, _)| *version == self.version).map(|(_, update)| update)
    }

    /// Starts the search that is due, if none is running.
    fn start_search(&mut self, events: &mut Vec<SessionEvent>) {
        let Some(purpose) = self.wanted_search().filter(|_| self.search.is_none()) else { return };
        let (side, player) = match purpose {
            SearchPurpose::Move => {
                let mover = self.record.now().mover();
                (Some(mover.into()), &mut self.players[mover.index()])
            }
            _ => (None, &mut self.assistant),
        };
        let limits = match purpose {
            SearchPurpose::Values => values_limits(),
            _ => player.limits(),
        };
        match player.take_engine() {
            Some(engine) => {
                let record = self.viewed.clone();
                self.search = Some(BackgroundSearch::start(purpose, side, self.version, engine, record, limits));
            }
            None => {
                (self.view.paused, self.view.values, self.hint, self.assist) = (true, false, false, false);
                events.push(SessionEvent::Failed { message: "the engine cannot be created".to_owned() });
            }
        }
    }

    /// Takes in the result of a search.
    fn finish_search(
        &mut self,
        search: BackgroundSearch<G>,
        SearchEnd { engine, choice }: SearchEnd<G>,
        events: &mut Vec<SessionEvent>,
    ) {
        let crashed = engine.is_none();
        match search.side {
            Some(side) => self.players[side.index()].put_engine(engine),
            None => self.assistant.put_engine(engine),
        }
        if crashed {
            self.view.paused = true;
            return events.push(SessionEvent::Failed { message: "the engine crashed".to_owned() });
        }
        if search.dropped {
            return;
        }
        let used = search.elapsed();
        let line = search.update.as_ref().and_then(|update| update.lines.first());
        match search.purpose {
            SearchPurpose::Values => {
                // Without any result too: another search would find no more.
                self.final_values = Some((search.version, search.update.unwrap_or_default()));
            }
            SearchPurpose::Hint => {
                self.hint = false;
                let value = line.map(|line| line.value.with_unit()).filter(|text| !text.is_empty());
                let choice = EngineChoice::of(self.viewed.now(), &choice);
                events.push(SessionEvent::Hint { choice, value });
            }
            SearchPurpose::Move | SearchPurpose::Assist => {
                let side = self.mover().into();
                if choice != Choice::Over {
                    let choice = EngineChoice::of(self.record.now(), &choice);
                    events.push(SessionEvent::Played { side, choice });
                }
                let value = line.and_then(|line| line.in_game_unit);
                let done = match choice {
                    Choice::Move { mv, .. } => self.play_engine_move(mv, used, value),
                    Choice::Claim => self.declare(),
                    Choice::Resign => self.resign(),
                    Choice::Over => Err(Error::failed("the engine found no move")),
                };
                if let Err(error) = done {
                    self.view.paused = true;
                    self.refresh();
                    events.push(SessionEvent::Failed { message: error.to_string() });
                }
            }
        }
    }
}

/// The limits of a search for values.
pub(super) fn values_limits() -> Limits {
    Limits { lines: VALUE_LINES, time: Some(Time::Move(VALUES_TIME)), ..Limits::default() }
}

impl<G: Playable> Session for GameSession<G> {
    fn view(&self) -> &SessionView {
        &self.view
    }

    fn search(&self) -> Option<SearchStatus> {
        match &self.search {
            Some(search) => Some(search.status()),
            None => self.final_values().filter(|_| self.view.values).map(|update| SearchStatus {
                purpose: SearchPurpose::Values,
                seconds: update.seconds,
                is_running: false,
                update: Some(update.clone()),
            }),
        }
    }

    fn cells(&self, mv: &str) -> Vec<usize> {
        self.legal_move(mv).map_or_else(Vec::new, |mv| self.viewed.now().cells(mv))
    }

    fn preview(&self, mv: &str) -> Vec<(usize, CellContent)> {
        let filled = self.legal_move(mv).map_or_else(Vec::new, |mv| self.viewed.now().preview(mv));
        filled.into_iter().map(|(cell, content)| (cell, content.into())).collect()
    }

    fn native_line(&self, line: &[String]) -> Vec<String> {
        let (mut now, mut before) = (self.viewed.now().clone(), self.last_viewed_move());
        let mut words = Vec::with_capacity(line.len());
        for text in line {
            let Ok(mv) = now.parse_move(text) else { break };
            let Some(word) = now.native_move(mv, before) else { break };
            words.push(word);
            now.play(mv);
            before = Some(mv);
        }
        words.extend(line.iter().skip(words.len()).cloned());
        words
    }

    fn act(&mut self, action: SessionAction) -> Result<(), Error> {
        match action {
            SessionAction::Play { text } => self.play_text(&text)?,
            SessionAction::Resign if self.view.awaits_human() => self.resign()?,
            SessionAction::Resign => return Err(Error::invalid("only the side to move can resign")),
            SessionAction::Declare => self.declare()?,
            SessionAction::Undo => self.undo()?,
            SessionAction::Redo => self.redo()?,
            SessionAction::View { ply } => {
                self.viewed_ply = (ply < self.record.plies().len()).then_some(ply);
                self.refresh();
            }
            SessionAction::Pause { paused } => self.view.paused = paused,
            SessionAction::EngineMove if self.view.to_move.is_none() || !self.view.is_latest => {}
            SessionAction::EngineMove => match &self.search {
                Some(search) if matches!(search.purpose, SearchPurpose::Move | SearchPurpose::Assist) => {
                    search.cancel.cancel();
                }
                _ if self.view.awaits_engine() => self.view.paused = false,
                _ => self.assist = true,
            },
            SessionAction::Hint => self.hint = self.view.awaits_human() && self.view.is_latest,
            SessionAction::Values { on } => self.view.values = on,
            SessionAction::EndAssistance => {
                (self.view.values, self.hint, self.assist) = (false, false, false);
            }
            SessionAction::Save { file } => {
                if let Some(file) = file {
                    self.save = Some(SavedGame::at::<G>(&file)?);
                }
                if self.save.is_none() {
                    return Err(Error::invalid("name a file to save to"));
                }
                self.save()?;
            }
            SessionAction::Load { source, save } => {
                let (record, save) = (source.record(1)?, save.as_deref().map(SavedGame::at::<G>).transpose()?);
                (self.record, self.save, self.viewed_ply) = (record, save, None);
                self.undone.clear();
                self.view.saved = None;
                self.refresh();
            }
        }
        Ok(())
    }

    fn poll(&mut self, wait: Duration) -> Vec<SessionEvent> {
        let mut events = Vec::new();
        let wanted = self.wanted_search();
        if let Some(search) = &mut self.search
            && (search.version != self.version || Some(search.purpose) != wanted)
        {
            search.dropped = true;
            search.cancel.cancel();
        }
        let end = self.search.as_mut().and_then(|search| search.receive(wait));
        if let Some(end) = end
            && let Some(search) = self.search.take()
        {
            self.finish_search(search, end, &mut events);
        }
        self.start_search(&mut events);
        events
    }
}

impl<G: Playable> Drop for GameSession<G> {
    fn drop(&mut self) {
        if let Some(search) = &self.search {
            search.cancel.cancel();
        }
    }
}
