//! Analyses written into records, through a handle.

use tesuji_registry::{AnnotateEvent, AnnotateRequest, EngineRequest, RecordSource, SearchLimits, shipped};
use tesuji_task::{CancelToken, Context};

#[test]
fn every_game_of_a_file_is_annotated_again_and_again() {
    let game = shipped().game("shogi").unwrap().clone();
    let limits = SearchLimits { threads: Some(1), hash: Some(1), ..SearchLimits::default() };
    let engine = EngineRequest { engine: Some("alphabeta:depth=2".to_owned()), limits };
    let bytes =
        b"PI\n+\n+7776FU\n'*kept\n-3334FU\n+8833UM\n-2133KE\n/\nPI\n+\n+2726FU\n/\nPI\n+\n+7777FU\n/\n".to_vec();
    let source = RecordSource { bytes, ..RecordSource::default() };
    let mut request = AnnotateRequest { source, index: None, engine, file: "out.csa".to_owned() };
    let cancel = CancelToken::new();
    let mut finished = Vec::new();
    let mut run = |request: &AnnotateRequest| {
        game.annotate(request, Context::silent(&cancel), &mut |event| match event {
            AnnotateEvent::Finished { index, .. } => finished.push((index, true)),
            AnnotateEvent::Refused { index, .. } => finished.push((index, false)),
            AnnotateEvent::Analysis { .. } => {}
        })
    };
    let first = run(&request).unwrap();
    assert_eq!((first.written, first.refused), (2, 1));
    let text = String::from_utf8(first.bytes.clone()).unwrap();
    assert!(text.contains("'* kept\n") && text.contains("'** ") && text.contains("'* analysis: ??"), "{text}");
    request.source = RecordSource { bytes: first.bytes.clone(), ..RecordSource::default() };
    let second = run(&request).unwrap();
    assert_eq!(String::from_utf8(second.bytes).unwrap(), text);
    request.index = Some(2);
    assert_eq!(run(&request).unwrap().written, 1);
    request.index = Some(9);
    assert!(run(&request).is_err());
    request.file = "out.usi".to_owned();
    let refused = run(&request).unwrap_err().to_string();
    assert!(refused.contains(".csa"), "{refused}");
    assert_eq!(finished, [(1, true), (2, true), (3, false), (1, true), (2, true), (2, true)]);
}
