//! What tables call a contestant: as it was named for them, else as it calls itself, else as it was typed.

/// What is known of a contestant.
pub(crate) struct Known<'a> {
    /// As it was typed, or named for this tournament.
    pub(crate) name: &'a str,
    /// Whether somebody has chosen that name.
    pub(crate) is_chosen: bool,
    /// What it calls itself.
    pub(crate) called: Option<&'a str>,
}

/// The names in the same order. What two would be called nobody is called.
pub(crate) fn shown(all: &[Known<'_>]) -> Vec<String> {
    let own = |at: usize| {
        let called = all[at].called.filter(|_| !all[at].is_chosen)?;
        let is_free = |(other, known): (usize, &Known<'_>)| {
            other == at || (known.name != called && (known.is_chosen || known.called != Some(called)))
        };
        all.iter().enumerate().all(is_free).then(|| called.to_owned())
    };
    (0..all.len()).map(|at| own(at).unwrap_or_else(|| all[at].name.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::{Known, shown};

    #[test]
    fn own_names_stand_where_nobody_else_could_be_meant() {
        let check = |all: &[(&str, bool, Option<&str>)], expected: &[&str]| {
            let all: Vec<Known<'_>> =
                all.iter().map(|&(name, is_chosen, called)| Known { name, is_chosen, called }).collect();
            assert_eq!(shown(&all), expected);
        };
        check(&[("./a", false, Some("Corner")), ("star", false, None)], &["Corner", "star"]);
        check(&[("./a", false, Some("Corner")), ("./b", false, Some("Corner"))], &["./a", "./b"]);
        check(&[("./a", false, Some("star")), ("star", false, None)], &["./a", "star"]);
        check(&[("Mine", true, Some("Corner")), ("./b", false, Some("Corner"))], &["Mine", "Corner"]);
        check(&[("./a", false, None)], &["./a"]);
    }
}
