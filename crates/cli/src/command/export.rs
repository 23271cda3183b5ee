//! `tesuji export`: a class of a tablebase as comma-separated values.

use std::io::{BufWriter, Write, stdout};

use tesuji_registry::{ClassExportError, ClassExportRequest, GameHandle};
use tesuji_report::grouped;
use tesuji_store::FileStream;

use crate::args;
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(crate) fn run(game: &GameHandle, args: &args::Export, out: &mut Out) -> Done {
    let request = ClassExportRequest {
        directory: args.table.clone(),
        class: args.class.clone(),
        first: args.first,
        step: args.step,
        rows: args.rows,
        threads: args.threads.get(),
    };
    let Some(path) = &args.out else {
        return out.operation(|_, context| {
            let mut to = BufWriter::new(stdout().lock());
            game.export_class(&request, &mut to, context).map(|_| ()).map_err(failure)
        });
    };
    let unwritable = |error: tesuji_store::StoreError| Failure::usage(format!("--out: {error}"));
    let mut file = FileStream::create(path).map_err(unwritable)?;
    let exported = out.operation(|_, context| {
        game.export_class(&request, &mut BufWriter::with_capacity(1 << 20, &mut file), context).map_err(failure)
    })?;
    file.flush()?;
    file.finish().map_err(|error| Failure::Failed(error.to_string()))?;
    out.line(format_args!("{path}: {} boards of class {}", grouped(exported.rows), exported.class))
}

fn failure(error: ClassExportError) -> Failure {
    match error {
        ClassExportError::Request(error) => error.into(),
        ClassExportError::Write(error) => error.into(),
    }
}
