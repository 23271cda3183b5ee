//! `tesuji convert`: between the record formats of a game.

use std::path::Path;

use super::{each_record, format_named};
use crate::args;
use crate::entry::{Playable, Registration};
use crate::failure::{Done, Failure};
use crate::out::Out;

pub(crate) fn run<G: Playable>(shelf: &Registration<G>, args: &args::Convert, out: &mut Out) -> Done {
    let to = format_named::<G>(&args.to)?;
    // A format with a head needs to know the number of records first; the others are written as they come.
    let headed = !G::head(to, 0).is_empty();
    let mut body = Vec::new();
    let (mut written, mut refused) = (0, 0);
    let fill = shelf.companions.map(|companions| companions(Path::new(&args.source.file)));
    each_record::<G>(&args.source, |index, mut reading| {
        if let Some(fill) = &fill {
            fill(&mut reading.record);
        }
        let problem = match (reading.fault, G::write(to, &reading.record)) {
            (Some(fault), _) => Some(fault.to_string()),
            (None, Err(reason)) => Some(reason),
            (None, Ok(bytes)) => {
                written += 1;
                if headed {
                    body.extend_from_slice(&bytes);
                } else {
                    out.bytes(&bytes)?;
                }
                None
            }
        };
        if let Some(problem) = problem {
            refused += 1;
            eprintln!("record {index}: left out: {problem}");
        }
        Ok(())
    })?;
    out.bytes(&G::head(to, written))?;
    out.bytes(&body)?;
    if refused > 0 { Err(Failure::No) } else { Ok(()) }
}
