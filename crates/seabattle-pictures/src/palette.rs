//! The colours of all pictures.

/// A colour of eight bits a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour {
    /// Red.
    pub red: u8,
    /// Green.
    pub green: u8,
    /// Blue.
    pub blue: u8,
}

impl Colour {
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
pub const PALETTE: [Colour; 7] = [
    Colour::new(0, 114, 178),
    Colour::new(213, 94, 0),
    Colour::new(0, 158, 115),
    Colour::new(204, 121, 167),
    Colour::new(0, 0, 0),
    Colour::new(86, 180, 233),
    Colour::new(230, 159, 0),
];
