//! Protocols through a handle.

use tesuji_registry::{EngineProtocol, Error, ProtocolRequest, shipped};

#[test]
fn an_engine_answers_through_a_handle() {
    let registry = shipped();
    let othello = registry.game("othello").unwrap();
    assert_eq!(othello.engine_protocols(), [EngineProtocol::Gtp, EngineProtocol::NBoard]);
    let run = |protocol, engine: &str| {
        let request = ProtocolRequest {
            protocol,
            engine: Some(engine.to_owned()),
            threads: None,
            hash: None,
            team: None,
            time: None,
        };
        let mut output = Vec::new();
        let ended = othello.run_protocol(&request, Box::new(&b"1 name\n"[..]), &mut output);
        ended.map(|()| String::from_utf8(output).unwrap())
    };
    assert_eq!(run(EngineProtocol::Gtp, "random").unwrap(), "=1 tesuji\n\n");
    assert!(matches!(run(EngineProtocol::Gtp, "randon"), Err(Error::Field { field: "engine", .. })));
    assert!(matches!(run(EngineProtocol::Usi, "random"), Err(Error::Field { field: "protocol", .. })));
}

#[test]
fn settings_are_filled_in_where_the_engine_has_them() {
    let registry = shipped();
    let spec = |spec| registry.game("shogi").unwrap().engine_spec(spec, Some(2), Some(8)).unwrap();
    assert_eq!(spec(Some("alphabeta")), "alphabeta:threads=2,hash=8");
    assert_eq!(spec(Some("alphabeta:hash=1")), "alphabeta:hash=1,threads=2");
    assert_eq!(spec(Some("random")), "random");
    assert_eq!(spec(Some("process:cmd=x,protocol=usi")), "process:cmd=x,protocol=usi");
}
