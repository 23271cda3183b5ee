//! A stage: rounds of own work, each ended by a step of the exchange in which all workers agree on what comes next.

use std::sync::atomic::Ordering;

use tesuji_game::PerfectIndex;
use tesuji_solve::retrograde::{Outbox, Packet, Plane, SharePhase, ShareStage, SolveProgress};

use crate::error::DataflowError;
use crate::exchange::{Exchange, Kind, Parcel};
use crate::run::DataflowEvent;
use crate::worker::{Ended, ShareWorker, ignore};

/// Blocks that a worker looks at for the first time in a round.
const LOOK: usize = 64;
/// Messages that a worker sends in a round, at most and a block.
const ROUND: u64 = 1 << 24;
/// Blocks between two turns of the exchange when little is sent.
const PAUSE: usize = 16;

/// What a worker says at the end of a round.
#[derive(Clone, Copy, Default)]
struct Word {
    edges: u64,
    decided: u64,
    /// Blocks done in this phase, and all.
    blocks: [u64; 2],
    last_active: u8,
    horizon: u8,
    /// It has no more blocks in this phase.
    is_through: bool,
    stop: bool,
    checkpoint: bool,
}

impl Word {
    fn bytes(&self) -> Vec<u8> {
        let numbers = [self.edges, self.decided, self.blocks[0], self.blocks[1]];
        let mut bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let flags = [self.is_through, self.stop, self.checkpoint].map(u8::from);
        bytes.extend_from_slice(&[self.last_active, self.horizon]);
        bytes.extend_from_slice(&flags);
        bytes
    }

    fn read(bytes: &[u8]) -> Option<Word> {
        let (numbers, rest) = bytes.split_first_chunk::<32>()?;
        let mut read = numbers.as_chunks::<8>().0.iter().map(|&bytes| u64::from_le_bytes(bytes));
        let &[last_active, horizon, is_through, stop, checkpoint] = rest else { return None };
        Some(Word {
            edges: read.next()?,
            decided: read.next()?,
            blocks: [read.next()?, read.next()?],
            last_active,
            horizon,
            is_through: is_through != 0,
            stop: stop != 0,
            checkpoint: checkpoint != 0,
        })
    }

    /// What all workers say together. Checkpoints are due when they are at the first worker.
    fn all(words: &[Vec<u8>]) -> Result<Word, DataflowError> {
        let mut sum = Word { is_through: true, ..Word::default() };
        for (worker, bytes) in words.iter().enumerate() {
            let word = Word::read(bytes).ok_or(DataflowError::Message { process: worker })?;
            sum.edges += word.edges;
            sum.decided += word.decided;
            sum.blocks[0] += word.blocks[0];
            sum.blocks[1] += word.blocks[1];
            sum.last_active = sum.last_active.max(word.last_active);
            sum.horizon = sum.horizon.max(word.horizon);
            sum.is_through &= word.is_through;
            sum.stop |= word.stop;
            sum.checkpoint |= word.checkpoint && worker == 0;
        }
        Ok(sum)
    }
}

/// Gives what arrives to the share. `layer` is the layer that is propagated.
fn take<G: PerfectIndex>(stage: &mut ShareStage<'_, G>, layer: u8, parcel: Parcel) {
    let Parcel { from, kind, page, bytes, .. } = parcel;
    match kind {
        Kind::Moves => stage.apply(layer, page, &bytes),
        Kind::Limits => stage.limit(page, &bytes),
        Kind::Requests => stage.asked(from as usize, &bytes),
        Kind::Answers => stage.answered(&bytes),
        Kind::Blocks | Kind::Word => {}
    }
}

/// Sends messages to shares.
fn send(exchange: &mut Exchange<'_>, kind: Kind, messages: Vec<(usize, Vec<u8>)>) {
    for (to, bytes) in messages {
        exchange.send(to, kind, 0, bytes);
    }
}

/// A way to hand full packets of an outbox to the exchange.
fn post<'e>(exchange: &'e mut Exchange<'_>, kind: Kind) -> impl FnMut(Packet) + 'e {
    move |Packet { share, page, bytes }| exchange.send(share, kind, page, bytes)
}

impl<'w, G: PerfectIndex + Send + 'static> ShareWorker<'w, G> {
    /// Solves a stage, or goes on with it, unless all workers have saved it already.
    pub(crate) fn solve_stage(&mut self, number: usize, classes: &[u8]) -> Result<Ended, DataflowError> {
        let is_solved = self.checkpoints.has(&**self.game, classes)?;
        if self.all(is_solved)? {
            return Ok(Ended::Done);
        }
        let game = &**self.game;
        let mut stage = ShareStage::new(game, classes, self.partition, self.exchange.index())?;
        let mut round = self.resume(&mut stage, number, classes)?;
        self.report_notes();
        let earlier: Vec<u8> = game.stages()[..number].iter().flat_map(|classes| classes.iter().copied()).collect();
        let mut outbox = Outbox::new(self.partition.shares(), stage.places());
        let mut plane: Option<(u8, Plane)> = None;
        let mut layer = None;
        while stage.phase != SharePhase::Done {
            let (all, edges) = match stage.phase {
                SharePhase::Look { block } => (self.look(&mut stage, block, &earlier)?, 0),
                SharePhase::Convert { number, block } => {
                    let class = earlier[number];
                    if plane.as_ref().is_none_or(|&(known, _)| known != class) {
                        // The plane before goes first.
                        drop(plane.take());
                        plane = Some((class, self.checkpoints.share_first(game, class, self.partition)?));
                    }
                    let values = plane.as_ref().map_or(&[][..], |(_, plane)| plane);
                    let all = self.convert(&mut stage, (number, block), values, &mut outbox)?;
                    if all.is_through {
                        plane = None;
                        stage.phase = match number + 1 < earlier.len() {
                            true => SharePhase::Convert { number: number + 1, block: 0 },
                            false => SharePhase::Propagate { layer: 1, block: 0 },
                        };
                    }
                    (all, 0)
                }
                SharePhase::Propagate { layer, block } => self.propagate(&mut stage, layer, block, &mut outbox)?,
                SharePhase::Done => break,
            };
            stage.counters.edges += edges;
            round += 1;
            self.report_progress(number, classes, &stage, &all, &mut layer);
            // All workers decide the same, so that their snapshots fit together.
            if all.stop || all.checkpoint {
                stage.save(&mut self.checkpoints, number, round)?;
                self.is_saved();
            }
            if all.stop {
                // A worker that cannot save fails here, and all others with it.
                self.all(true)?;
                return Ok(Ended::Stopped);
            }
        }
        for (class, planes) in stage.finish().classes() {
            self.checkpoints.put_share(game, class, planes)?;
        }
        // Only when every worker has its share on disk the snapshots are of no more use.
        self.all(true)?;
        self.checkpoints.forget_rounds()?;
        Ok(Ended::Done)
    }

    /// Whether something holds for all workers.
    fn all(&mut self, holds: bool) -> Result<bool, DataflowError> {
        let words = self.exchange.gather(&[u8::from(holds)], &mut ignore)?;
        Ok(words.iter().all(|word| word[..] == [1]))
    }

    /// Restores the last round that all workers have on disk, and returns its number; 0 when there is none.
    fn resume(&mut self, stage: &mut ShareStage<'w, G>, number: usize, classes: &[u8]) -> Result<u64, DataflowError> {
        let own = stage.rounds(&mut self.checkpoints, number)?;
        let word: Vec<u8> = own.iter().flat_map(|round| round.to_le_bytes()).collect();
        let words = self.exchange.gather(&word, &mut ignore)?;
        let rounds: Vec<Vec<u64>> = words
            .iter()
            .map(|word| word.as_chunks::<8>().0.iter().map(|&bytes| u64::from_le_bytes(bytes)).collect())
            .collect();
        let mut common: Vec<u64> =
            own.into_iter().filter(|round| rounds.iter().all(|rounds| rounds.contains(round))).collect();
        common.sort_unstable();
        let mut trouble = None;
        while let Some(round) = common.pop() {
            let restored = stage.restore(&mut self.checkpoints, number, round);
            let is_restored = restored.is_ok();
            trouble = trouble.or(restored.err());
            if self.all(is_restored)? {
                if let Some(trouble) = trouble {
                    self.report(DataflowEvent::Warning(format!("{trouble}; all workers go on with round {round}")));
                }
                self.checkpoints.keep_round(Some(round))?;
                return Ok(round);
            }
        }
        // Work that might be repaired is not thrown away; where nothing is damaged there is none in common.
        if let Some(trouble) = trouble {
            return Err(trouble.into());
        }
        *stage = ShareStage::new(&**self.game, classes, self.partition, self.exchange.index())?;
        self.checkpoints.keep_round(None)?;
        Ok(0)
    }

    fn look(&mut self, stage: &mut ShareStage<'w, G>, block: usize, earlier: &[u8]) -> Result<Word, DataflowError> {
        let end = (block + LOOK).min(stage.blocks());
        for block in block..end {
            stage.look(block)?;
            self.exchange.check()?;
        }
        let is_through = end == stage.blocks();
        if is_through {
            send(&mut self.exchange, Kind::Requests, stage.ask());
        }
        let all = self.end_round(stage, 0, (end, stage.blocks()), 0)?;
        stage.phase = match (is_through, earlier.is_empty()) {
            (false, _) => SharePhase::Look { block: end },
            (true, true) => SharePhase::Propagate { layer: 1, block: 0 },
            (true, false) => SharePhase::Convert { number: 0, block: 0 },
        };
        Ok(all)
    }

    fn convert(
        &mut self,
        stage: &mut ShareStage<'w, G>,
        (number, block): (usize, usize),
        values: &[u8],
        outbox: &mut Outbox,
    ) -> Result<Word, DataflowError> {
        let class = self.game.stages().iter().flat_map(|classes| classes.iter().copied()).nth(number).unwrap_or(0);
        if block == 0 {
            let answers = stage.answer_earlier(class, values);
            send(&mut self.exchange, Kind::Answers, answers);
        }
        let blocks = ShareStage::<G>::blocks_of(values.len());
        let block = self.work(stage, 0, Kind::Limits, (block, blocks), outbox, |stage, block, outbox, exchange| {
            stage.convert(class, values, block, outbox, &mut post(exchange, Kind::Limits));
        })?;
        outbox.take_count();
        let all = self.end_round(stage, 0, (block, blocks), 0)?;
        stage.phase = SharePhase::Convert { number, block };
        Ok(all)
    }

    fn propagate(
        &mut self,
        stage: &mut ShareStage<'w, G>,
        layer: u8,
        block: usize,
        outbox: &mut Outbox,
    ) -> Result<(Word, u64), DataflowError> {
        let blocks = stage.blocks();
        let block =
            self.work(stage, layer, Kind::Moves, (block, blocks), outbox, |stage, block, outbox, exchange| {
                stage.propagate(layer, block, outbox, &mut post(exchange, Kind::Moves));
            })?;
        let edges = outbox.take_count();
        let mut all = self.end_round(stage, layer, (block, blocks), edges)?;
        stage.phase = SharePhase::Propagate { layer, block };
        if all.is_through {
            stage.scan(layer, all.horizon);
            send(&mut self.exchange, Kind::Answers, stage.answer(layer));
            self.exchange.end_step(&mut |parcel| take(stage, layer, parcel))?;
            stage.evaluate(layer);
            all = self.end_round(stage, layer, (block, blocks), edges)?;
            let is_quiet = layer.saturating_sub(all.last_active) >= 2 && layer > all.horizon;
            // Values are bytes, and the largest are reserved.
            stage.phase = match is_quiet || layer >= 250 {
                true => SharePhase::Done,
                false => SharePhase::Propagate { layer: layer + 1, block: 0 },
            };
        }
        Ok((all, edges))
    }

    /// Works on blocks until a round is full, and returns the next.
    fn work(
        &mut self,
        stage: &mut ShareStage<'w, G>,
        layer: u8,
        kind: Kind,
        (mut block, blocks): (usize, usize),
        outbox: &mut Outbox,
        one: impl Fn(&ShareStage<'w, G>, usize, &mut Outbox, &mut Exchange<'w>),
    ) -> Result<usize, DataflowError> {
        let (mut sent, mut since) = (0, 0);
        while block < blocks && sent < ROUND {
            let before = outbox.count();
            one(stage, block, outbox, &mut self.exchange);
            block += 1;
            since += 1;
            let more = outbox.count() - before;
            sent += more;
            if more > 1 << 12 || since == PAUSE {
                since = 0;
                self.exchange.turn(&mut |parcel| take(stage, layer, parcel))?;
            }
        }
        outbox.flush(&mut post(&mut self.exchange, kind));
        Ok(block)
    }

    /// Ends a round: everything sent in it arrives, and all workers say where they are.
    fn end_round(
        &mut self,
        stage: &mut ShareStage<'w, G>,
        layer: u8,
        (block, blocks): (usize, usize),
        edges: u64,
    ) -> Result<Word, DataflowError> {
        let counters = stage.counters;
        let word = Word {
            edges: counters.edges + edges,
            decided: counters.decided,
            blocks: [block as u64, blocks as u64],
            last_active: counters.last_active,
            horizon: counters.horizon,
            is_through: block >= blocks,
            stop: self.orders.stop.load(Ordering::Relaxed),
            checkpoint: self.is_due(),
        };
        let words = self.exchange.gather(&word.bytes(), &mut |parcel| take(stage, layer, parcel))?;
        Word::all(&words)
    }

    fn report_progress(
        &self,
        number: usize,
        classes: &[u8],
        stage: &ShareStage<'w, G>,
        all: &Word,
        known: &mut Option<u8>,
    ) {
        let layer = match stage.phase {
            SharePhase::Look { .. } | SharePhase::Convert { .. } => 0,
            SharePhase::Propagate { layer, .. } => layer,
            SharePhase::Done => return,
        };
        let new_layer = known.replace(layer) != Some(layer);
        let [done, blocks] = all.blocks;
        self.report(DataflowEvent::Solving(SolveProgress {
            stage: number,
            boards: classes.iter().map(|&class| u64::from(self.game.size(class))).sum(),
            layer,
            part: if new_layer { 0.0 } else { done as f64 / blocks.max(1) as f64 },
            new_layer,
            edges: all.edges,
            decided: all.decided,
        }));
    }
}
