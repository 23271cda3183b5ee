//! Analyses through a handle.

use tesuji_registry::{
    AnalysisEvent, AnalyzeRequest, EngineChoice, EngineRequest, Error, GameAnalysisEvent, GameAnalysisRequest,
    RecordSource, SearchLimits, shipped,
};
use tesuji_task::{CancelToken, Context};

fn engine(spec: &str) -> EngineRequest {
    let limits = SearchLimits { threads: Some(1), hash: Some(1), ..SearchLimits::default() };
    EngineRequest { engine: Some(spec.to_owned()), limits }
}

#[test]
fn a_cancelled_token_ends_an_analysis_without_limits() {
    let cancel = CancelToken::new();
    let request = AnalyzeRequest { engine: engine("alphabeta:nodes=1000000000000"), ..Default::default() };
    let mut updates = Vec::new();
    let summary = shipped().game("shogi").unwrap().analyze(&request, Context::silent(&cancel), &mut |event| {
        if let AnalysisEvent::Update(update) = event {
            updates.push(update);
            if updates.len() == 3 {
                cancel.cancel();
            }
        }
    });
    assert!(matches!(summary.unwrap().choice, EngineChoice::Move { .. }));
    assert!(updates.len() >= 3 && updates[2].depth == 3, "{updates:?}");
}

#[test]
fn the_summary_of_a_game_adds_up_its_losses() {
    let source = RecordSource { bytes: b"f5d6c3d3c4b3".to_vec(), ..RecordSource::default() };
    let request = GameAnalysisRequest { source, index: 1, engine: engine("alphabeta:depth=3") };
    let cancel = CancelToken::new();
    let mut losses = [0.0, 0.0];
    let game = shipped().game("othello").unwrap().clone();
    let summary = game.analyze_game(&request, Context::silent(&cancel), &mut |event| {
        if let GameAnalysisEvent::Move(analysis) = event {
            losses[analysis.mover.index()] += analysis.loss;
        }
    });
    let sides = summary.unwrap().sides;
    assert_eq!(sides.map(|side| side.total), losses);
    assert_eq!(sides.map(|side| side.moves), [3, 3]);
    cancel.cancel();
    let cancelled = game.analyze_game(&request, Context::silent(&cancel), &mut |_| {});
    assert_eq!(cancelled, Err(Error::Cancelled));
}
