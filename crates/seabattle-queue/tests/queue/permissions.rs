//! The permissions in `docs/tournament.md` are enough for both roles, and no more.
