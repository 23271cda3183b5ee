//! The evaluation: accumulators that follow the moves, and the layers behind them.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use tesuji_game::{Game, Side};
use tesuji_search::{Eval, Value};
use tesuji_shogi::{Move, PieceKind, Shogi, Undo};

use super::input_set::{InputSet, Part, differences, parts};
use super::kernel::{Kernels, Row};
use super::network::Network;

/// The sums of the rows of the active inputs, by side.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Accumulator<V, const N: usize> {
    sums: [Row<N>; 2],
    direct: [i32; 2],
    views: [V; 2],
}

impl<V: Default, const N: usize> Default for Accumulator<V, N> {
    fn default() -> Self {
        Accumulator { sums: Default::default(), direct: [0; 2], views: Default::default() }
    }
}

/// The last position seen by one side with one view, and its sums. The next position with this view usually differs in a
/// few pieces only.
#[derive(Clone)]
struct CachedSums<const N: usize> {
    position: Option<Shogi>,
    sums: Row<N>,
    direct: i32,
}

/// The cached sums of all views, side by side.
type RefreshTable<const N: usize> = Vec<CachedSums<N>>;

/// An evaluation by a network with the inputs `F`.
pub(crate) struct Nnue<F, const N: usize> {
    network: Arc<Network<N>>,
    kernels: Kernels,
    /// Refresh tables that no thread is using.
    tables: Mutex<Vec<RefreshTable<N>>>,
    inputs: F,
}

impl<F, const N: usize> fmt::Debug for Nnue<F, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nnue").field("inputs", &self.network.rows.len()).field("columns", &N).finish_non_exhaustive()
    }
}

/// Parts that a move adds or removes: at most two each.
#[derive(Default)]
struct Changes {
    parts: [Option<Part>; 2],
}

impl Changes {
    /// The rows and the sum of the direct weights of the parts, seen with a view.
    #[inline]
    fn rows<'n, F: InputSet, const N: usize>(
        &self,
        network: &'n Network<N>,
        view: F::View,
        rows: &mut [&'n Row<N>; 2],
    ) -> (usize, i32) {
        let (mut count, mut direct) = (0, 0);
        for input in self.parts.iter().flatten().filter_map(|&part| F::input(view, part)) {
            rows[count] = &network.rows[input as usize];
            direct += network.direct.get(input as usize).map_or(0, |&weight| i32::from(weight));
            count += 1;
        }
        (count, direct)
    }
}

impl<F: InputSet, const N: usize> Nnue<F, N> {
    /// The evaluation of a network.
    pub(crate) fn new(network: Arc<Network<N>>) -> Nnue<F, N> {
        Nnue::with_kernels(network, Kernels::detect())
    }

    pub(super) fn with_kernels(network: Arc<Network<N>>, kernels: Kernels) -> Nnue<F, N> {
        Nnue { network, kernels, tables: Mutex::new(Vec::new()), inputs: F::default() }
    }

    /// The sums of a side from nothing.
    fn sum(&self, game: &Shogi, view: F::View) -> (Row<N>, i32) {
        let (mut sums, mut direct) = (self.network.bias, 0);
        parts(game, |part| {
            if let Some(input) = F::input(view, part) {
                self.apply(input, true, &mut sums, &mut direct);
            }
        });
        (sums, direct)
    }

    /// Adds or removes one input.
    #[inline]
    fn apply(&self, input: u32, add: bool, sums: &mut Row<N>, direct: &mut i32) {
        let from = *sums;
        let row = [&self.network.rows[input as usize]];
        let weight = self.network.direct.get(input as usize).map_or(0, |&weight| i32::from(weight));
        if add {
            self.kernels.update(&from, &row, &[], sums);
            *direct += weight;
        } else {
            self.kernels.update(&from, &[], &row, sums);
            *direct -= weight;
        }
    }

    /// The sums of a side whose view has changed, from the last position with the same view.
    #[cold]
    fn refresh(&self, game: &Shogi, side: Side, view: F::View, sums: &mut Row<N>, direct: &mut i32) {
        let free = self.tables.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let empty = CachedSums { position: None, sums: self.network.bias, direct: 0 };
        let mut table = free.unwrap_or_else(|| vec![empty; 2 * F::VIEWS]);
        let cached = &mut table[side.index() * F::VIEWS + F::number(view)];
        match &cached.position {
            Some(before) => differences(before, game, |part, add| {
                if let Some(input) = F::input(view, part) {
                    self.apply(input, add, &mut cached.sums, &mut cached.direct);
                }
            }),
            None => (cached.sums, cached.direct) = self.sum(game, view),
        }
        cached.position = Some(game.clone());
        (*sums, *direct) = (cached.sums, cached.direct);
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).push(table);
    }
}

impl<F: InputSet, const N: usize> Eval<Shogi> for Nnue<F, N> {
    type Accumulator = Accumulator<F::View, N>;

    fn begin(&self, game: &Shogi) -> Self::Accumulator {
        let _ = self.inputs;
        let mut accumulator = Accumulator::default();
        for side in Side::BOTH {
            let at = side.index();
            accumulator.views[at] = F::view(game, side);
            (accumulator.sums[at], accumulator.direct[at]) = self.sum(game, accumulator.views[at]);
        }
        accumulator
    }

    #[inline]
    fn advance(
        &self,
        accumulator: &Self::Accumulator,
        mv: Move,
        undo: &Undo,
        after: &Shogi,
        next: &mut Self::Accumulator,
    ) {
        let (side, to) = (!after.mover(), mv.to());
        let Some(standing) = after.piece(to).map(|piece| piece.kind) else { return next.clone_from(accumulator) };
        let (mut added, mut removed) = (Changes::default(), Changes::default());
        added.parts[0] = Some(Part::Board(side, standing, to));
        match mv.from() {
            None => removed.parts[0] = Some(Part::Hand(side, standing, after.hand(side, standing) + 1)),
            Some(from) => {
                let moved = if mv.promotes() { standing.unpromoted() } else { standing };
                removed.parts[0] = Some(Part::Board(side, moved, from));
                if let Some(taken) = undo.captured() {
                    let kind = taken.unpromoted();
                    removed.parts[1] = Some(Part::Board(!side, taken, to));
                    added.parts[1] = Some(Part::Hand(side, kind, after.hand(side, kind)));
                }
            }
        }
        let network = &*self.network;
        for observer in Side::BOTH {
            let (at, view) = (observer.index(), accumulator.views[observer.index()]);
            if standing == PieceKind::King && observer == side {
                let now = F::view(after, side);
                if now != view {
                    next.views[at] = now;
                    self.refresh(after, side, now, &mut next.sums[at], &mut next.direct[at]);
                    continue;
                }
            }
            let (mut more, mut fewer) = ([&network.bias; 2], [&network.bias; 2]);
            let (mores, plus) = added.rows::<F, N>(network, view, &mut more);
            let (fewers, minus) = removed.rows::<F, N>(network, view, &mut fewer);
            self.kernels.update(&accumulator.sums[at], &more[..mores], &fewer[..fewers], &mut next.sums[at]);
            next.direct[at] = accumulator.direct[at] + plus - minus;
            next.views[at] = view;
        }
    }

    #[inline]
    fn advance_null(&self, accumulator: &Self::Accumulator, _: &Shogi, next: &mut Self::Accumulator) {
        next.clone_from(accumulator);
    }

    #[inline]
    fn value(&self, game: &Shogi, accumulator: &Self::Accumulator) -> Value {
        let (own, other) = (game.mover().index(), (!game.mover()).index());
        let network = &*self.network;
        let layers = &network.layers[F::output(game)];
        let sum = self.kernels.output(&accumulator.sums[own], &accumulator.sums[other], layers);
        let direct = network.direct_factor * (accumulator.direct[own] - accumulator.direct[other]);
        Value::estimate((sum + direct) / network.steps)
    }
}
