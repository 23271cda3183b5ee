//! Training of evaluations that are sums of weights: samples, the fit, and the files of both. No game is known here;
//! one that wants to be trained implements [`Model`].

mod model;

pub use model::Model;
