//! Bounded input and wrapped output.

use std::io::{self, BufRead, Read, Write};

use seabattle_core::Glyphs;

use super::Options;

/// The longest line. A salvo of 2500 shots still fits.
const MAX_LINE: u64 = 16_384;

/// The player's input and output.
pub(super) struct Console<R, W> {
    input: R,
    output: W,
    pub(super) glyphs: Glyphs,
    pub(super) columns: usize,
    echo: bool,
}

/// What the player typed.
pub(super) enum Input {
    /// A line without the white space around it.
    Line(String),
    /// The input has ended.
    EndOfInput,
}

impl<R: BufRead, W: Write> Console<R, W> {
    /// Wraps input and output. `echo` repeats piped input, so the output reads like a typed game.
    pub(super) fn new(input: R, output: W, options: &Options) -> Self {
        Self { input, output, glyphs: options.glyphs, columns: options.columns, echo: options.echo }
    }

    /// Prints text, wrapped between words.
    pub(super) fn say(&mut self, text: &str) -> io::Result<()> {
        for line in text.split('\n') {
            // Lines with colors are boards and legends, which fit already.
            if line.contains('\x1b') {
                writeln!(self.output, "{line}")?;
            } else {
                wrapped(line, self.columns).iter().try_for_each(|part| writeln!(self.output, "{part}"))?;
            }
        }
        Ok(())
    }

    /// Prints text unchanged.
    pub(super) fn say_exactly(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")
    }

    /// Asks until the player types a line that is neither empty nor too long.
    pub(super) fn ask(&mut self, prompt: &str) -> io::Result<Input> {
        loop {
            self.output.write_all(prompt.as_bytes())?;
            self.output.flush()?;
            let mut line = Vec::new();
            let read = (&mut self.input).take(MAX_LINE).read_until(b'\n', &mut line)?;
            if read == 0 {
                self.say("")?;
                return Ok(Input::EndOfInput);
            }
            if line.last() != Some(&b'\n') && read as u64 == MAX_LINE {
                self.skip_line()?;
                self.say("That line is too long and was ignored.")?;
                continue;
            }
            let line = String::from_utf8_lossy(&line).trim().replace(char::is_control, " ");
            if self.echo {
                self.say(&line)?;
            }
            if !line.is_empty() {
                return Ok(Input::Line(line));
            }
        }
    }

    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let buffer = self.input.fill_buf()?;
            let (length, done) = match buffer.iter().position(|&byte| byte == b'\n') {
                Some(at) => (at + 1, true),
                None => (buffer.len(), buffer.is_empty()),
            };
            self.input.consume(length);
            if done {
                return Ok(());
            }
        }
    }
}

fn wrapped(line: &str, columns: usize) -> Vec<String> {
    if line.chars().count() <= columns {
        return vec![line.to_owned()];
    }
    let mut parts = vec![String::new()];
    for word in line.split(' ') {
        let used = parts.last().map_or(0, |part| part.chars().count());
        match parts.last_mut() {
            Some(part) if used == 0 => part.push_str(word),
            Some(part) if used + 1 + word.chars().count() <= columns => {
                part.push(' ');
                part.push_str(word);
            }
            _ => parts.push(word.to_owned()),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn long_lines_break_between_words() {
        let line = format!("{} {} end", "a".repeat(50), "b".repeat(29));
        assert_eq!(wrapped(&line, 80), [format!("{} {}", "a".repeat(50), "b".repeat(29)), "end".to_owned()]);
        assert_eq!(wrapped("  as it is", 80), ["  as it is"]);
    }
}
