//! `tesuji export`: a class of a tablebase as a table: comma-separated values or Parquet.

use std::io::{BufWriter, Write, stdout};
use std::path::Path;

use tesuji_registry::{ClassExportError, ClassExportRequest, GameHandle, TableFormat};
use tesuji_report::grouped;
use tesuji_store::FileStream;

use crate::args::{self, TableName};
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(crate) fn run(game: &GameHandle, args: &args::Export, out: &mut Out) -> Done {
    let request = ClassExportRequest {
        directory: args.table.clone(),
        class: args.class.clone(),
        format: format(args)?,
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
    if args.json {
        return out.json("export", &exported);
    }
    out.line(format_args!("{path}: {} boards of class {}", grouped(exported.rows), exported.class))
}

/// The format that was asked for, or that the name of the file says.
fn format(args: &args::Export) -> Result<TableFormat, Failure> {
    let extension = args.out.as_ref().and_then(|path| Path::new(path).extension());
    match (args.to, extension.and_then(|extension| extension.to_str())) {
        (Some(TableName::Csv), _) | (None, None | Some("csv")) => Ok(TableFormat::Csv),
        (Some(TableName::Parquet), _) | (None, Some("parquet")) => Ok(TableFormat::Parquet),
        (None, Some(other)) => {
            Err(Failure::usage(format!("--out: no table ends in .{other}: write .csv or .parquet, or give --to")))
        }
    }
}

fn failure(error: ClassExportError) -> Failure {
    match error {
        ClassExportError::Request(error) => error.into(),
        ClassExportError::Write(error) => error.into(),
    }
}
