//! Files of weights embedded in the program, each read when it is first needed.

use std::sync::OnceLock;

use crate::WeightsError;

/// A file of weights in the program. It is parsed when it is first needed.
pub(crate) struct EmbeddedWeights<T> {
    read: OnceLock<Option<T>>,
    bytes: &'static [u8],
}

impl<T> EmbeddedWeights<T> {
    pub(crate) const fn new(bytes: &'static [u8]) -> Self {
        Self { read: OnceLock::new(), bytes }
    }

    pub(crate) fn get(&self, read: impl Fn(&[u8]) -> Result<T, WeightsError>) -> Option<&T> {
        self.read.get_or_init(|| read(self.bytes).ok()).as_ref()
    }
}
