//! Colors and characters: the themes, and Unicode or ASCII.

use std::env;
use std::fmt;
use std::str::FromStr;

use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;
use seabattle_core::{Glyphs, Mark};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A set of colors. Nothing depends on color alone, so every theme shows the same information.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// For dark terminals with 256 colors.
    Sea,
    /// For light terminals with 256 colors.
    Paper,
    /// The sixteen standard colors.
    Ansi,
    /// No colors.
    Mono,
}

impl Theme {
    /// All themes.
    pub const ALL: [Self; 4] = [Self::Sea, Self::Paper, Self::Ansi, Self::Mono];

    /// Detects the best theme for this terminal.
    pub fn of_terminal() -> Self {
        let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let term = env::var("TERM").unwrap_or_default();
        if is_set("NO_COLOR") {
            Self::Mono
        } else if is_set("COLORTERM") || term.contains("256") {
            Self::Sea
        } else {
            Self::Ansi
        }
    }

    /// Returns the saved theme, if this terminal can show it.
    pub(super) fn or_saved(self, saved: Option<Self>) -> Self {
        match (self, saved) {
            (Self::Mono, _) => Self::Mono,
            (Self::Ansi, Some(Self::Sea | Self::Paper)) | (_, None) => self,
            (_, Some(saved)) => saved,
        }
    }

    /// Returns the next theme, and after the last the first.
    pub(super) fn next(self) -> Self {
        let at = Self::ALL.iter().position(|&theme| theme == self).unwrap_or(0);
        Self::ALL[(at + 1) % Self::ALL.len()]
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sea => "sea",
            Self::Paper => "paper",
            Self::Ansi => "ansi",
            Self::Mono => "mono",
        })
    }
}

/// The error for an unknown theme name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no theme {0:?}; choose sea, paper, ansi or mono")]
pub struct UnknownTheme(String);

impl FromStr for Theme {
    type Err = UnknownTheme;

    fn from_str(text: &str) -> Result<Self, UnknownTheme> {
        let theme = Self::ALL.into_iter().find(|theme| theme.to_string() == text);
        theme.ok_or_else(|| UnknownTheme(text.chars().take(30).collect()))
    }
}

/// The theme and the character set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Styles {
    pub(super) theme: Theme,
    pub(super) glyphs: Glyphs,
}

/// What a piece of text means; the theme decides how it looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Text,
    Dim,
    Title,
    Key,
    Good,
    Bad,
    Selected,
    Mark(Mark),
    /// A cell of the ship about to be placed.
    Preview,
    /// A cell of a ship that cannot be placed here.
    Conflict,
    /// A cell chosen for the salvo.
    Aimed,
    /// The cell that the hint recommends.
    Hint,
    /// A shot falling into the water.
    Splash,
    /// A shot hitting a ship.
    Blast,
}

impl Styles {
    pub(super) fn of(self, role: Role) -> Style {
        match self.theme {
            Theme::Sea => dark(role),
            Theme::Paper => light(role),
            Theme::Ansi => ansi(role),
            Theme::Mono => mono(role),
        }
    }

    /// Returns the color of a probability, relative to the highest on the board.
    pub(super) fn heat(self, share: f64) -> Style {
        const DARK: [u8; 7] = [17, 18, 24, 30, 71, 178, 208];
        const LIGHT: [u8; 7] = [255, 195, 153, 115, 149, 220, 208];
        let step = ((share.clamp(0.0, 1.0) * 7.0) as usize).min(6);
        match self.theme {
            Theme::Sea => colors(if step > 3 { 16 } else { 253 }, DARK[step]),
            Theme::Paper => colors(16, LIGHT[step]),
            Theme::Ansi => match step {
                0 => Style::new().fg(Color::DarkGray),
                1 | 2 => Style::new().fg(Color::Blue),
                3 | 4 => Style::new().fg(Color::Cyan),
                5 => Style::new().fg(Color::Yellow),
                _ => Style::new().fg(Color::Red).add_modifier(Modifier::BOLD),
            },
            Theme::Mono if step < 5 => Style::new(),
            Theme::Mono => Style::new().add_modifier(Modifier::BOLD),
        }
    }

    pub(super) fn border(self) -> border::Set<'static> {
        match self.glyphs {
            Glyphs::Unicode => border::ROUNDED,
            Glyphs::Ascii => border::Set {
                top_left: "+",
                top_right: "+",
                bottom_left: "+",
                bottom_right: "+",
                vertical_left: "|",
                vertical_right: "|",
                horizontal_top: "-",
                horizontal_bottom: "-",
            },
        }
    }

    /// Returns the first value for Unicode, the second for ASCII.
    pub(super) fn unicode_or_ascii<T>(self, unicode: T, ascii: T) -> T {
        match self.glyphs {
            Glyphs::Unicode => unicode,
            Glyphs::Ascii => ascii,
        }
    }
}

fn colors(foreground: u8, background: u8) -> Style {
    Style::new().fg(Color::Indexed(foreground)).bg(Color::Indexed(background))
}

fn foreground(color: u8) -> Style {
    Style::new().fg(Color::Indexed(color))
}

fn dark(role: Role) -> Style {
    match role {
        Role::Text => Style::new(),
        Role::Dim => foreground(245),
        Role::Title => foreground(81).add_modifier(Modifier::BOLD),
        Role::Key => foreground(222).add_modifier(Modifier::BOLD),
        Role::Good => foreground(114),
        Role::Bad => foreground(210),
        Role::Selected => colors(16, 117).add_modifier(Modifier::BOLD),
        Role::Mark(Mark::Open) => colors(67, 17),
        Role::Mark(Mark::Impossible) => colors(60, 17),
        Role::Mark(Mark::Miss) => colors(153, 17),
        Role::Mark(Mark::Hit) => colors(16, 215).add_modifier(Modifier::BOLD),
        Role::Mark(Mark::Sunk) => colors(231, 124).add_modifier(Modifier::BOLD),
        Role::Mark(Mark::Ship) => colors(255, 240),
        Role::Preview => colors(16, 114),
        Role::Conflict => colors(231, 131),
        Role::Aimed => colors(16, 222).add_modifier(Modifier::BOLD),
        Role::Hint => colors(16, 120).add_modifier(Modifier::BOLD),
        Role::Splash => colors(231, 32).add_modifier(Modifier::BOLD),
        Role::Blast => colors(16, 226).add_modifier(Modifier::BOLD),
    }
}

fn light(role: Role) -> Style {
    match role {
        Role::Text => Style::new(),
        Role::Dim => foreground(242),
        Role::Title => foreground(25).add_modifier(Modifier::BOLD),
        Role::Key => foreground(130).add_modifier(Modifier::BOLD),
        Role::Good => foreground(28),
        Role::Bad => foreground(160),
        Role::Selected => colors(255, 25).add_modifier(Modifier::BOLD),
        Role::Mark(Mark::Open) => colors(67, 195),
        Role::Mark(Mark::Impossible) => colors(109, 195),
        Role::Mark(Mark::Miss) => colors(24, 195),
        Role::Mark(Mark::Hit) => colors(16, 215).add_modifier(Modifier::BOLD),
        Role::Mark(Mark::Sunk) => colors(231, 160).add_modifier(Modifier::BOLD),
        Role::Mark(Mark::Ship) => colors(16, 250),
        Role::Preview => colors(16, 114),
        Role::Conflict => colors(231, 167),
        Role::Aimed => colors(16, 222).add_modifier(Modifier::BOLD),
        Role::Hint => colors(16, 120).add_modifier(Modifier::BOLD),
        Role::Splash => colors(231, 32).add_modifier(Modifier::BOLD),
        Role::Blast => colors(16, 226).add_modifier(Modifier::BOLD),
    }
}

fn ansi(role: Role) -> Style {
    let foreground = |color| Style::new().fg(color);
    match role {
        Role::Text => Style::new(),
        Role::Dim | Role::Mark(Mark::Impossible) => foreground(Color::DarkGray),
        Role::Title => foreground(Color::Cyan).add_modifier(Modifier::BOLD),
        Role::Key => foreground(Color::Yellow),
        Role::Good | Role::Preview | Role::Hint => foreground(Color::Green).add_modifier(Modifier::BOLD),
        Role::Bad | Role::Conflict | Role::Mark(Mark::Sunk) => foreground(Color::Red).add_modifier(Modifier::BOLD),
        Role::Selected => Style::new().add_modifier(Modifier::REVERSED),
        Role::Mark(Mark::Open) => foreground(Color::Blue),
        Role::Mark(Mark::Miss) => foreground(Color::Cyan),
        Role::Mark(Mark::Hit) | Role::Aimed => foreground(Color::Yellow).add_modifier(Modifier::BOLD),
        Role::Mark(Mark::Ship) => foreground(Color::White),
        Role::Splash => foreground(Color::Cyan).add_modifier(Modifier::BOLD),
        Role::Blast => foreground(Color::Yellow).add_modifier(Modifier::BOLD | Modifier::REVERSED),
    }
}

fn mono(role: Role) -> Style {
    match role {
        Role::Title | Role::Key | Role::Aimed | Role::Hint | Role::Bad | Role::Splash => {
            Style::new().add_modifier(Modifier::BOLD)
        }
        Role::Mark(Mark::Hit | Mark::Sunk) => Style::new().add_modifier(Modifier::BOLD),
        Role::Dim | Role::Mark(Mark::Open | Mark::Impossible) => Style::new().add_modifier(Modifier::DIM),
        Role::Selected | Role::Blast => Style::new().add_modifier(Modifier::REVERSED),
        _ => Style::new(),
    }
}
