//! The colours of all pictures.

/// A colour of eight bits a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color {
    /// Red.
    pub red: u8,
    /// Green.
    pub green: u8,
    /// Blue.
    pub blue: u8,
}

impl Color {
    /// Paper.
    pub const WHITE: Self = Self::new(255, 255, 255);
    /// Ink.
    pub const INK: Self = Self::new(33, 37, 41);
    /// Lines that stay behind.
    pub const FAINT: Self = Self::new(222, 226, 230);
    /// Words that stay behind.
    pub const GREY: Self = Self::new(95, 105, 115);

    /// A colour from its channels.
    pub const fn new(red: u8, green: u8, blue: u8) -> Self {
        Self { red, green, blue }
    }
}

/// Okabe and Ito's colours, told apart by readers of every kind of colour vision; yellow, too light on paper, is left out.
pub const CURVE_COLORS: [Color; 7] = [
    Color::new(0, 114, 178),
    Color::new(213, 94, 0),
    Color::new(0, 158, 115),
    Color::new(204, 121, 167),
    Color::new(0, 0, 0),
    Color::new(86, 180, 233),
    Color::new(230, 159, 0),
];

/// The colours of one picture: paper, what is written on it, and what is told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Palette {
    /// Behind everything.
    pub paper: Color,
    /// Words and what stands out.
    pub ink: Color,
    /// Words that stay behind.
    pub grey: Color,
    /// Lines that stay behind.
    pub faint: Color,
    /// Curves and marks.
    pub curves: [Color; 7],
}

impl Palette {
    /// On white paper.
    pub const LIGHT: Self =
        Self { paper: Color::WHITE, ink: Color::INK, grey: Color::GREY, faint: Color::FAINT, curves: CURVE_COLORS };

    /// On the night sky: the same colours, those too dark for it made lighter.
    pub const DARK: Self = Self {
        paper: Color::new(17, 24, 32),
        ink: Color::new(233, 237, 241),
        grey: Color::new(154, 165, 177),
        faint: Color::new(46, 57, 69),
        curves: [
            Color::new(86, 180, 233),
            Color::new(230, 120, 30),
            Color::new(0, 178, 130),
            Color::new(214, 141, 184),
            Color::new(240, 240, 240),
            Color::new(38, 146, 214),
            Color::new(240, 178, 40),
        ],
    };
}

impl Color {
    /// Part of the way from this colour to another, from 0 to 1.
    pub fn towards(self, other: Self, part: f64) -> Self {
        let part = part.clamp(0.0, 1.0);
        let mix = |from: u8, to: u8| (f64::from(from) + (f64::from(to) - f64::from(from)) * part).round() as u8;
        Self::new(mix(self.red, other.red), mix(self.green, other.green), mix(self.blue, other.blue))
    }

    /// As style sheets write it.
    pub fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}
