//! What every bot of the catalog must do, whatever it plays.

mod conformance;
