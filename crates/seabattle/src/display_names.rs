//! The names that tables show for contestants.
//!
//! A name from a tournament file comes first, then the name that the bot itself reports, then the command as typed.

/// The names of one contestant.
pub(crate) struct ContestantName<'a> {
    /// The command as typed, or the name from a tournament file.
    pub(crate) name: &'a str,
    /// Whether `name` is from a tournament file.
    pub(crate) is_chosen: bool,
    /// The name that the bot itself reports.
    pub(crate) own_name: Option<&'a str>,
}

/// Returns the name to show for each contestant, in the same order.
///
/// If two contestants report the same name, both are shown as typed.
pub(crate) fn resolve(all: &[ContestantName<'_>]) -> Vec<String> {
    let unambiguous = |at: usize| {
        let own_name = all[at].own_name.filter(|_| !all[at].is_chosen)?;
        let is_free = |(other, known): (usize, &ContestantName<'_>)| {
            other == at || (known.name != own_name && (known.is_chosen || known.own_name != Some(own_name)))
        };
        all.iter().enumerate().all(is_free).then(|| own_name.to_owned())
    };
    (0..all.len()).map(|at| unambiguous(at).unwrap_or_else(|| all[at].name.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::{ContestantName, resolve};

    #[test]
    fn own_names_are_used_where_they_are_unambiguous() {
        let check = |all: &[(&str, bool, Option<&str>)], expected: &[&str]| {
            let all: Vec<ContestantName<'_>> =
                all.iter().map(|&(name, is_chosen, own_name)| ContestantName { name, is_chosen, own_name }).collect();
            assert_eq!(resolve(&all), expected);
        };
        check(&[("./a", false, Some("Corner")), ("star", false, None)], &["Corner", "star"]);
        check(&[("./a", false, Some("Corner")), ("./b", false, Some("Corner"))], &["./a", "./b"]);
        check(&[("./a", false, Some("star")), ("star", false, None)], &["./a", "star"]);
        check(&[("Mine", true, Some("Corner")), ("./b", false, Some("Corner"))], &["Mine", "Corner"]);
        check(&[("./a", false, None)], &["./a"]);
    }
}
