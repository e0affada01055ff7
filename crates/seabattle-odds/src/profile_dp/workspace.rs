//! Memory for counting.

use super::layer::{Layer, Transitions};
use crate::number::Number;

/// Memory that is reused from one count to the next: allocating it again would take as long as counting.
pub(crate) struct Workspace<N> {
    values: Vec<Vec<N>>,
    transitions: Vec<Transitions>,
}

impl<N: Number> Workspace<N> {
    pub(crate) fn new() -> Self {
        Self { values: Vec::new(), transitions: Vec::new() }
    }

    /// Zeros in the smallest vector that is large enough, or else in the largest, so that vectors grow as little as possible.
    pub(super) fn zeros(&mut self, count: usize) -> Vec<N> {
        let unfitness = |values: &Vec<N>| (values.capacity() < count, values.capacity().abs_diff(count));
        let best = (0..self.values.len()).min_by_key(|&index| unfitness(&self.values[index]));
        let mut values = best.map_or_else(Vec::new, |index| self.values.swap_remove(index));
        values.clear();
        if values.capacity() < count {
            values.reserve_exact(count + count / 4);
        }
        values.resize(count, N::ZERO);
        values
    }

    pub(super) fn transitions(&mut self) -> Transitions {
        let mut transitions = self.transitions.pop().unwrap_or_default();
        transitions.clear();
        transitions
    }

    pub(super) fn recycle_values(&mut self, values: Vec<N>) {
        self.values.push(values);
    }

    pub(super) fn recycle(&mut self, layers: Vec<Layer<N>>, transitions: Vec<Transitions>) {
        self.values.extend(layers.into_iter().map(|layer| layer.values));
        self.transitions.extend(transitions);
    }
}
