//! The possible answers to a shot, each with the layouts that give it.

use seabattle_core::Outcome;

use super::layout_set::LayoutSet;

/// The most answers that are distinguished. Further answers are rare; they share the last place.
pub(super) const MAX_ANSWERS: usize = 8;

/// The layouts for each answer. The first answer is the miss, even if no layout gives it.
pub(super) struct AnswerSplit<const W: usize> {
    answers: [(Outcome, LayoutSet<W>); MAX_ANSWERS],
    count: usize,
}

impl<const W: usize> AnswerSplit<W> {
    pub(super) fn new(miss: LayoutSet<W>) -> Self {
        let mut answers = [(Outcome::Miss, LayoutSet::EMPTY); MAX_ANSWERS];
        answers[0].1 = miss;
        Self { answers, count: 1 }
    }

    pub(super) fn miss(&self) -> &LayoutSet<W> {
        &self.answers[0].1
    }

    pub(super) fn hits(&self) -> impl Iterator<Item = &LayoutSet<W>> {
        self.answers[1..self.count].iter().map(|(_, layouts)| layouts)
    }

    /// Each answer with its layouts, the miss last.
    pub(super) fn by_answer(&self) -> impl Iterator<Item = (Outcome, &LayoutSet<W>)> {
        let (miss, hits) = self.answers[..self.count].split_at(1);
        hits.iter().chain(miss).map(|(outcome, layouts)| (*outcome, layouts))
    }

    pub(super) fn add(&mut self, outcome: Outcome, layouts: &LayoutSet<W>) {
        let known_index = (1..self.count).find(|&index| self.answers[index].0 == outcome);
        let index = known_index.unwrap_or(self.count.min(MAX_ANSWERS - 1));
        self.count = self.count.max(index + 1);
        let (answer, set) = &mut self.answers[index];
        *answer = outcome;
        *set = set.or(layouts);
    }
}
