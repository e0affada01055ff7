//! Program.
