//! Tablebases of whole games: build, query, verify.

mod build;
mod export;
mod lookup;
mod parquet;
mod processes;
mod published;
mod query;
mod status;
mod verify;

use std::io::Write;
use std::path::PathBuf;

use tesuji_game::HasPerfectIndex;
use tesuji_solve::tablebase::TablebaseId;
use tesuji_task::Context;

pub use build::*;
pub use export::{ClassExportError, ClassExportRequest, ClassExportResponse, TableFormat};
pub use lookup::{LookupAnswer, LookupError, LookupFault, LookupRequest, LookupValue, TablebaseLookup};
pub use processes::ProcessesRequest;
#[cfg(not(test))]
pub(crate) use published::build_published_ostle;
pub use query::*;
pub use status::TablebaseStatus;
pub use verify::*;
pub(crate) use verify::{
    event as verify_event, failure as verify_failure, job as verify_job, response as verify_response,
};

use crate::distributed::verification_units;
use crate::{Error, Playable, Registration, UnitJob, VerifyResponse};

/// Receives the events of a build.
pub type TablebaseEvents<'e> = &'e mut (dyn FnMut(TablebaseEvent) + Send);

/// Builds a tablebase.
pub(crate) type TablebaseBuilder =
    fn(&TablebaseRequest, Context<'_>, TablebaseEvents<'_>) -> Result<TablebaseResponse, Error>;

/// Verifies a tablebase; `None` if the path holds none of this game.
type TablebaseVerifier =
    fn(&VerifyRequest, Context<'_>, &mut dyn FnMut(VerificationEvent)) -> Result<Option<VerifyResponse>, Error>;

/// Cuts the verification of a tablebase into units; `None` if the path holds none of this game.
type TablebaseUnits = fn(&VerifyRequest, u32) -> Result<Option<Box<dyn UnitJob>>, Error>;

/// What can be done with a game whose boards have a perfect index.
#[derive(Clone, Copy)]
pub struct TablebaseSupport {
    build: TablebaseBuilder,
    build_published: Option<TablebaseBuilder>,
    status: fn(Option<&str>) -> TablebaseStatus,
    query: fn(&QueryRequest) -> Result<QueryResponse, Error>,
    longest: fn(Option<&str>) -> Result<LongestResponse, Error>,
    unreachable: fn(Option<&str>) -> Result<UnreachableResponse, Error>,
    farthest: fn(Option<&str>, Context<'_>) -> Result<FarthestResponse, Error>,
    lookup: fn(&LookupRequest) -> Result<Box<dyn TablebaseLookup>, Error>,
    export: fn(&ClassExportRequest, &mut dyn Write, Context<'_>) -> Result<ClassExportResponse, ClassExportError>,
    verify: TablebaseVerifier,
    verify_units: TablebaseUnits,
}

impl<G: Playable> Registration<G> {
    /// All boards have a perfect index, so the whole game can be solved.
    pub fn solvable(mut self) -> Registration<G>
    where
        G: HasPerfectIndex,
    {
        self.tablebase = Some(TablebaseSupport {
            build: build::build_tablebase::<G>,
            build_published: None,
            status: status::status::<G>,
            query: query::query::<G>,
            longest: query::longest::<G>,
            unreachable: query::unreachable::<G>,
            farthest: query::farthest::<G>,
            lookup: lookup::open::<G>,
            export: export::export::<G>,
            verify: verify::verify_tablebase::<G>,
            verify_units: verification_units::<G>,
        });
        self
    }

    /// There is a published solution by slightly different rules, which this builder follows.
    pub(crate) fn published(mut self, build: TablebaseBuilder) -> Registration<G> {
        if let Some(tablebase) = &mut self.tablebase {
            tablebase.build_published = Some(build);
        }
        self
    }

    fn tablebase(&self) -> Result<&TablebaseSupport, Error> {
        let too_large = || Error::invalid(format!("{} is too large to be solved whole; ostle is not", G::NAME));
        self.tablebase.as_ref().ok_or_else(too_large)
    }
}

/// Tablebases of whole games.
pub trait TablebaseApi {
    /// Whether the whole game can be solved.
    fn is_solvable(&self) -> bool;

    /// What there is of the tablebase in a directory; nothing for games without one.
    fn tablebase_status(&self, directory: Option<&str>) -> TablebaseStatus;

    /// Solves the game into a tablebase, or resumes doing so.
    ///
    /// # Errors
    /// The game is too large, the request does not fit it, memory is short, or a file cannot be written.
    /// [`Error::Cancelled`] when the token ended it; the same request resumes the work.
    fn build_tablebase(
        &self,
        request: &TablebaseRequest,
        context: Context<'_>,
        events: TablebaseEvents<'_>,
    ) -> Result<TablebaseResponse, Error>;

    /// The value of a position and of its moves.
    ///
    /// # Errors
    /// The position does not exist, or the tablebase is missing or damaged.
    fn query(&self, request: &QueryRequest) -> Result<QueryResponse, Error>;

    /// The positions with the longest distance to the end, from the tablebase in a directory.
    ///
    /// # Errors
    /// The statistics are missing or damaged.
    fn longest_positions(&self, directory: Option<&str>) -> Result<LongestResponse, Error>;

    /// The boards that no game reaches, from the tablebase in a directory.
    ///
    /// # Errors
    /// The statistics are missing, damaged or incomplete.
    fn unreachable_boards(&self, directory: Option<&str>) -> Result<UnreachableResponse, Error>;

    /// The positions farthest from the start, from the tablebase in a directory.
    ///
    /// # Errors
    /// The distances are missing or damaged, or the token ended it.
    fn farthest_positions(&self, directory: Option<&str>, context: Context<'_>) -> Result<FarthestResponse, Error>;

    /// Opens a tablebase for many positions.
    ///
    /// # Errors
    /// The tablebase is missing or damaged.
    fn open_tablebase(&self, request: &LookupRequest) -> Result<Box<dyn TablebaseLookup>, Error>;

    /// Writes a class of the tablebase as a table: comma-separated values or Parquet.
    ///
    /// # Errors
    /// There is no such class, the tablebase is missing or damaged, the output failed, or the token ended it.
    fn export_class(
        &self,
        request: &ClassExportRequest,
        out: &mut dyn Write,
        context: Context<'_>,
    ) -> Result<ClassExportResponse, ClassExportError>;

    /// Verifies a tablebase of this game; `None` when the path has none. [`Registry::verify`](crate::Registry::verify)
    /// verifies any file.
    ///
    /// # Errors
    /// A file cannot be read, memory is short, or the token ended it. What is wrong is part of the response.
    fn verify_tablebase(
        &self,
        request: &VerifyRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(VerificationEvent),
    ) -> Result<Option<VerifyResponse>, Error>;

    /// The same cut into units of so many ranges of boards; `None` when the path has no tablebase of this game.
    ///
    /// # Errors
    /// What is there cannot be cut into units.
    fn verification_units(&self, request: &VerifyRequest, group: u32) -> Result<Option<Box<dyn UnitJob>>, Error>;
}

impl<G: Playable> TablebaseApi for Registration<G> {
    fn is_solvable(&self) -> bool {
        self.tablebase.is_some()
    }

    fn tablebase_status(&self, directory: Option<&str>) -> TablebaseStatus {
        self.tablebase.as_ref().map_or_else(TablebaseStatus::default, |support| (support.status)(directory))
    }

    fn build_tablebase(
        &self,
        request: &TablebaseRequest,
        context: Context<'_>,
        events: TablebaseEvents<'_>,
    ) -> Result<TablebaseResponse, Error> {
        let support = self.tablebase()?;
        let unpublished = || Error::field("published", format!("no other solution of {} is known", G::NAME));
        let build = match request.published {
            true => support.build_published.ok_or_else(unpublished)?,
            false => support.build,
        };
        build(request, context, events)
    }

    fn query(&self, request: &QueryRequest) -> Result<QueryResponse, Error> {
        (self.tablebase()?.query)(request)
    }

    fn longest_positions(&self, directory: Option<&str>) -> Result<LongestResponse, Error> {
        (self.tablebase()?.longest)(directory)
    }

    fn unreachable_boards(&self, directory: Option<&str>) -> Result<UnreachableResponse, Error> {
        (self.tablebase()?.unreachable)(directory)
    }

    fn farthest_positions(&self, directory: Option<&str>, context: Context<'_>) -> Result<FarthestResponse, Error> {
        (self.tablebase()?.farthest)(directory, context)
    }

    fn open_tablebase(&self, request: &LookupRequest) -> Result<Box<dyn TablebaseLookup>, Error> {
        (self.tablebase()?.lookup)(request)
    }

    fn export_class(
        &self,
        request: &ClassExportRequest,
        out: &mut dyn Write,
        context: Context<'_>,
    ) -> Result<ClassExportResponse, ClassExportError> {
        (self.tablebase()?.export)(request, out, context)
    }

    fn verify_tablebase(
        &self,
        request: &VerifyRequest,
        context: Context<'_>,
        events: &mut dyn FnMut(VerificationEvent),
    ) -> Result<Option<VerifyResponse>, Error> {
        match &self.tablebase {
            Some(tablebase) => (tablebase.verify)(request, context, events),
            None => Ok(None),
        }
    }

    fn verification_units(&self, request: &VerifyRequest, group: u32) -> Result<Option<Box<dyn UnitJob>>, Error> {
        match &self.tablebase {
            Some(tablebase) => (tablebase.verify_units)(request, group),
            None => Ok(None),
        }
    }
}

/// This directory, or the default one in the user's data folder.
fn directory(dir: Option<&str>) -> PathBuf {
    dir.map_or_else(|| tesuji_store::home().join("tables"), PathBuf::from)
}

fn id<G: HasPerfectIndex>() -> TablebaseId {
    TablebaseId { game: G::NAME.to_owned(), rules: G::RULES_VERSION, index: G::INDEX_VERSION }
}
