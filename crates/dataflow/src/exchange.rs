//! The dataflow: one exchange of packets between all workers, in steps.
//!
//! A step is an epoch of the dataflow's time. Within it a worker sends as much as it likes, but never more than a few
//! rounds ahead of the slowest: that bounds the memory of messages under way. A step ends when the frontier has passed
//! it, so all its packets have arrived everywhere. Packets of the next step may come early and wait.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tesuji_task::CancelToken;
use timely::container::CapacityContainerBuilder;
use timely::dataflow::InputHandle;
use timely::dataflow::channels::pact::Exchange as ByHash;
use timely::dataflow::operators::generic::Operator;
use timely::dataflow::operators::probe::{Handle as Probe, Probe as _};
use timely::worker::Worker;

use crate::cluster::Cluster;
use crate::error::DataflowError;
use crate::link::Watch;

/// Bytes that a worker sends in a round.
const ROUND: usize = 1 << 20;
/// Rounds that a worker may be ahead of the slowest.
const AHEAD: u64 = 3;
/// The longest sleep between looks at what else happened.
const NAP: Duration = Duration::from_millis(50);

/// What a packet is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Kind {
    /// Moves into boards of a layer.
    Moves,
    /// Limits set by moves to earlier stages.
    Limits,
    /// Lookups for symmetric boards.
    Requests,
    /// Values for symmetric boards.
    Answers,
    /// Coded blocks of a band.
    Blocks,
    /// What is gathered from all workers.
    Word,
}

/// A message from worker to worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Parcel {
    to: u32,
    pub(crate) from: u32,
    /// The step.
    epoch: u32,
    pub(crate) kind: Kind,
    /// The page of boards, or the band.
    pub(crate) page: u32,
    #[serde(with = "serde_bytes")]
    pub(crate) bytes: Vec<u8>,
}

type Input = InputHandle<u64, CapacityContainerBuilder<Vec<Parcel>>>;

/// One worker's end of the exchange.
pub(crate) struct Exchange<'w> {
    worker: &'w mut Worker,
    input: Input,
    probe: Probe<u64>,
    arrived: Rc<RefCell<Vec<Parcel>>>,
    /// Packets of the next step.
    early: Vec<Parcel>,
    /// What was gathered in this step, by worker.
    words: Vec<Option<Vec<u8>>>,
    epoch: u32,
    round: u32,
    /// Bytes sent in this round.
    sent: usize,
    cluster: &'w Cluster,
    watch: &'w Arc<Watch>,
    cancel: &'w CancelToken,
}

impl<'w> Exchange<'w> {
    pub(crate) fn new(
        worker: &'w mut Worker,
        cluster: &'w Cluster,
        watch: &'w Arc<Watch>,
        cancel: &'w CancelToken,
    ) -> Exchange<'w> {
        let mut input: Input = InputHandle::new();
        let arrived = Rc::new(RefCell::new(Vec::new()));
        let inbox = Rc::clone(&arrived);
        let probe = worker.dataflow::<u64, _, _>(|scope| {
            let parcels = input.to_stream(scope);
            let to = ByHash::new(|parcel: &Parcel| u64::from(parcel.to));
            let (probe, _) = parcels
                .unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(to, "Deliver", move |_, _| {
                    move |input, _| {
                        input.for_each_time(|_, containers| {
                            containers.for_each(|parcels| inbox.borrow_mut().append(parcels));
                        });
                    }
                })
                .probe();
            probe
        });
        let words = vec![None; worker.peers()];
        Exchange {
            worker,
            input,
            probe,
            arrived,
            early: Vec::new(),
            words,
            epoch: 0,
            round: 0,
            sent: 0,
            cluster,
            watch,
            cancel,
        }
    }

    /// The number of this worker, from 0.
    pub(crate) fn index(&self) -> usize {
        self.worker.index()
    }

    /// Fails when a process is lost, another worker of this process failed, or the run is cancelled.
    pub(crate) fn check(&self) -> Result<(), DataflowError> {
        if self.cancel.is_cancelled() {
            return Err(DataflowError::Cancelled);
        }
        self.watch.check(self.cluster)
    }

    /// Sends a packet.
    pub(crate) fn send(&mut self, to: usize, kind: Kind, page: u32, bytes: Vec<u8>) {
        self.sent += bytes.len();
        let parcel = Parcel { to: to as u32, from: self.index() as u32, epoch: self.epoch, kind, page, bytes };
        self.input.send(parcel);
        self.input.flush();
    }

    /// Lets messages flow, and waits while this worker is too far ahead. `take` gets what arrives.
    pub(crate) fn turn(&mut self, take: &mut dyn FnMut(Parcel)) -> Result<(), DataflowError> {
        if self.sent >= ROUND {
            self.sent = 0;
            self.round += 1;
            self.input.advance_to(time(self.epoch, self.round));
        }
        self.worker.step();
        self.deliver(take);
        let behind = self.round.saturating_sub(AHEAD as u32);
        while self.probe.less_than(&time(self.epoch, behind)) {
            self.check()?;
            self.worker.step_or_park(Some(NAP));
            self.deliver(take);
        }
        self.check()
    }

    /// Ends the step: all packets of all workers have arrived. `take` gets what does.
    pub(crate) fn end_step(&mut self, take: &mut dyn FnMut(Parcel)) -> Result<(), DataflowError> {
        let next = time(self.epoch + 1, 0);
        self.input.advance_to(next);
        while self.probe.less_than(&next) {
            self.check()?;
            self.worker.step_or_park(Some(NAP));
            self.deliver(take);
        }
        self.deliver(take);
        (self.epoch, self.round, self.sent) = (self.epoch + 1, 0, 0);
        Ok(())
    }

    /// Ends the step and returns what every worker says at its end, by worker.
    pub(crate) fn gather(&mut self, word: &[u8], take: &mut dyn FnMut(Parcel)) -> Result<Vec<Vec<u8>>, DataflowError> {
        for worker in 0..self.words.len() {
            self.send(worker, Kind::Word, 0, word.to_vec());
        }
        self.words(take)
    }

    /// Ends the step; the first worker gets what every worker says, the others nothing.
    pub(crate) fn gather_first(
        &mut self,
        word: Vec<u8>,
        take: &mut dyn FnMut(Parcel),
    ) -> Result<Vec<Vec<u8>>, DataflowError> {
        self.send(0, Kind::Word, 0, word);
        self.words(take)
    }

    fn words(&mut self, take: &mut dyn FnMut(Parcel)) -> Result<Vec<Vec<u8>>, DataflowError> {
        self.end_step(take)?;
        Ok(self.words.iter_mut().filter_map(Option::take).collect())
    }

    /// The end of the run: from here on no process is missed.
    pub(crate) fn finish(mut self) -> Result<(), DataflowError> {
        self.end_step(&mut |_| ())?;
        self.watch.finish();
        // When another process leaves this second step, it knows that this one has noted the end.
        self.end_step(&mut |_| ())
    }

    fn deliver(&mut self, take: &mut dyn FnMut(Parcel)) {
        // Those that came early are first in order.
        let arrived = std::mem::take(&mut *self.arrived.borrow_mut());
        let mut parcels = std::mem::take(&mut self.early);
        parcels.extend(arrived);
        for parcel in parcels {
            match parcel.kind {
                _ if parcel.epoch != self.epoch => self.early.push(parcel),
                Kind::Word => self.words[parcel.from as usize] = Some(parcel.bytes),
                _ => take(parcel),
            }
        }
    }
}

impl Drop for Exchange<'_> {
    /// Removes the dataflow: without the other workers it would never end by itself.
    fn drop(&mut self) {
        for number in self.worker.installed_dataflows() {
            self.worker.drop_dataflow(number);
        }
    }
}

/// The time of a round of a step.
fn time(epoch: u32, round: u32) -> u64 {
    u64::from(epoch) << 32 | u64::from(round)
}
