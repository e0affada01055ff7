//! The palettes of all pictures.

/// A color with eight bits per channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color {
    /// The red channel.
    pub red: u8,
    /// The green channel.
    pub green: u8,
    /// The blue channel.
    pub blue: u8,
}

impl Color {
    /// White, the background of light pictures.
    pub const WHITE: Self = Self::new(255, 255, 255);
    /// Nearly black, for text.
    pub const INK: Self = Self::new(33, 37, 41);
    /// Light grey, for grid lines.
    pub const FAINT: Self = Self::new(222, 226, 230);
    /// Dark grey, for less important text.
    pub const GREY: Self = Self::new(95, 105, 115);

    /// Makes a color from its channels.
    pub const fn new(red: u8, green: u8, blue: u8) -> Self {
        Self { red, green, blue }
    }
}

/// The colors of curves: those of Okabe and Ito, which readers with any color vision can distinguish. Yellow is left
/// out, because it is too light on white.
pub const CURVE_COLORS: [Color; 7] = [
    Color::new(0, 114, 178),
    Color::new(213, 94, 0),
    Color::new(0, 158, 115),
    Color::new(204, 121, 167),
    Color::new(0, 0, 0),
    Color::new(86, 180, 233),
    Color::new(230, 159, 0),
];

/// The colors of one picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Palette {
    /// The background.
    pub paper: Color,
    /// Text and outlines.
    pub ink: Color,
    /// Less important text.
    pub grey: Color,
    /// Grid lines.
    pub faint: Color,
    /// Curves and marks, to be distinguished from each other.
    pub curves: [Color; 7],
}

impl Palette {
    /// The palette on white.
    pub const LIGHT: Self =
        Self { paper: Color::WHITE, ink: Color::INK, grey: Color::GREY, faint: Color::FAINT, curves: CURVE_COLORS };

    /// The palette on dark blue: the same hues, lighter where they would be too dark.
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
    /// Mixes this color with another. `part` is the share of the other, from 0 to 1.
    pub fn towards(self, other: Self, part: f64) -> Self {
        let part = part.clamp(0.0, 1.0);
        let mix = |from: u8, to: u8| (f64::from(from) + (f64::from(to) - f64::from(from)) * part).round() as u8;
        Self::new(mix(self.red, other.red), mix(self.green, other.green), mix(self.blue, other.blue))
    }

    /// The color as CSS writes it, such as `#0072b2`.
    pub fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}
