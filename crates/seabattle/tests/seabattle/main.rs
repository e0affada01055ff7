//! The program as its users meet it: real processes, real files, the documents.

mod documents;
mod plain;
mod program;
mod saving;
