//! What the driver must know of a unit before it is compiled: its name, and the names of its types.

/// The head of a unit, as far as the driver depends on it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct UnitInterface {
    /// The name of the unit, in lower case.
    pub(super) name: String,
    /// The units that its interface uses: types may come from them.
    pub(super) used: Vec<String>,
    /// What `getMap` returns.
    pub(super) map: String,
    /// What `shoot` returns.
    pub(super) shot: String,
    /// What `onOpponentShot` takes.
    pub(super) cell: CellType,
}

/// The parameter of `onOpponentShot`.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum CellType {
    /// An array that gets its length at run time.
    Dynamic(String),
    /// An array of two elements from the start.
    Static(String),
}

impl UnitInterface {
    /// Reads a unit up to its implementation; nothing if it does not begin like a unit.
    pub(super) fn parse(source: &str) -> Option<Self> {
        let mut tokens = tokens(source);
        let end = tokens.iter().position(|token| token == "implementation").unwrap_or(tokens.len());
        tokens.truncate(end);
        let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
        let ["unit", rest @ ..] = &tokens[..] else {
            return None;
        };
        let name = dotted(rest).filter(|name| name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_'));
        let result = |function, usual: &str| result_type(&tokens, function).unwrap_or_else(|| usual.to_owned());
        Some(Self {
            name: name?,
            used: used(&tokens),
            map: result("getmap", "TMap"),
            shot: result("shoot", "TCoordinates"),
            cell: cell_type(&tokens),
        })
    }
}

/// Words in lower case and single signs, without comments and strings.
fn tokens(source: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = source.trim_start_matches('\u{feff}');
    while let Some(first) = rest.chars().next() {
        let length = if let Some(length) = length_of_remark(rest) {
            length
        } else {
            let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
            let word = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
            let length = word.max(first.len_utf8());
            if !first.is_whitespace() {
                tokens.push(rest[..length].to_lowercase());
            }
            length
        };
        rest = &rest[length..];
    }
    tokens
}

/// How long the comment or string is that begins here.
fn length_of_remark(text: &str) -> Option<usize> {
    const REMARKS: [(&str, &str); 4] = [("{", "}"), ("(*", "*)"), ("//", "\n"), ("'", "'")];
    let (begin, end) = REMARKS.into_iter().find(|(begin, _)| text.starts_with(begin))?;
    let inside = &text[begin.len()..];
    Some(inside.find(end).map_or(text.len(), |length| begin.len() + length + end.len()))
}

/// The name at the beginning, which may have dots in it.
fn dotted(tokens: &[&str]) -> Option<String> {
    let mut name = (*tokens.first()?).to_owned();
    for pair in tokens[1..].chunks_exact(2).take_while(|pair| pair[0] == ".") {
        name = name + "." + pair[1];
    }
    Some(name)
}

/// The tokens behind these ones.
fn after<'a, 'b>(tokens: &'a [&'b str], wanted: &[&str]) -> Option<&'a [&'b str]> {
    let start = tokens.windows(wanted.len()).position(|window| window == wanted)?;
    Some(&tokens[start + wanted.len()..])
}

fn used(tokens: &[&str]) -> Vec<String> {
    let listed = after(tokens, &["interface", "uses"]).unwrap_or_default();
    let end = listed.iter().position(|&token| token == ";").unwrap_or(0);
    listed[..end].split(|&token| token == ",").filter_map(dotted).collect()
}

fn result_type(tokens: &[&str], function: &str) -> Option<String> {
    let rest = after(tokens, &["function", function])?;
    let rest = rest.strip_prefix(&["(", ")"]).unwrap_or(rest);
    dotted(rest.strip_prefix(&[":"])?)
}

fn cell_type(tokens: &[&str]) -> CellType {
    let taken = after(tokens, &["procedure", "onopponentshot", "("]).and_then(|rest| after(rest, &[":"]));
    let name = taken.and_then(dotted).unwrap_or_else(|| "TCoordinates".to_owned());
    if name == "array" {
        return CellType::Static("array[0..1] of Integer".to_owned());
    }
    let is_static =
        after(tokens, &[&name, "=", "array", "["]).or_else(|| after(tokens, &[&name, "=", "packed", "array", "["]));
    if is_static.is_some() { CellType::Static(name) } else { CellType::Dynamic(name) }
}

#[cfg(test)]
mod tests {
    use super::{CellType, UnitInterface};

    fn parsed(name: &str, used: &[&str], types: [&str; 2], cell: CellType) -> Option<UnitInterface> {
        let [map, shot] = types.map(str::to_owned);
        let used = used.iter().map(|&name| name.to_owned()).collect();
        Some(UnitInterface { name: name.to_owned(), used, map, shot, cell })
    }

    #[test]
    fn a_unit_of_the_contest() {
        let source = "\u{feff}{ unit Wrong; } (* unit *) // unit\r\nUNIT My_Bot;\n{$mode objfpc}\ninterface\n\
            uses SysUtils, Types in 'a b.pas';\n\
            type TMapRow = array of integer; TMap = array of TMapRow; TCoordinates = array of integer;\n\
            function getMap(): TMap; function shoot: TCoordinates; procedure onOpponentShot(cell: TCoordinates);\n\
            implementation function getMap(): Other;";
        let cell = CellType::Dynamic("tcoordinates".to_owned());
        assert_eq!(
            UnitInterface::parse(source),
            parsed("my_bot", &["sysutils", "types"], ["tmap", "tcoordinates"], cell)
        );
    }

    #[test]
    fn types_of_other_names_and_shapes() {
        let source = "unit a.b; interface type TCell = array[0..1] of byte;
            function GetMap: Types.TGrid; function Shoot(): TCell; procedure OnOpponentShot(const c: TCell);";
        let cell = CellType::Static("tcell".to_owned());
        assert_eq!(UnitInterface::parse(source), parsed("a.b", &[], ["types.tgrid", "tcell"], cell));
        let source = "unit u; interface procedure onOpponentShot(const cell: array of integer);";
        let cell = CellType::Static("array[0..1] of Integer".to_owned());
        assert_eq!(UnitInterface::parse(source), parsed("u", &[], ["TMap", "TCoordinates"], cell));
    }

    #[test]
    fn no_text_is_too_broken_to_be_read() {
        let source = "unit Бот.a; interface uses a in 'b', c; type T = packed array[0..1] of byte; { } (* *) // '\n\
            function getMap(): a.T; function shoot: ; procedure onOpponentShot(const c: T); implementation";
        for (at, _) in source.char_indices() {
            UnitInterface::parse(&source[..at]);
            UnitInterface::parse(&format!("unit {}", &source[at..]));
        }
    }

    #[test]
    fn what_is_no_unit() {
        for source in ["", "program p; begin end.", "unit", "unit ;", "unit 'x", "{ unit x;", "print('hello')"] {
            assert_eq!(UnitInterface::parse(source), None, "{source:?}");
        }
    }
}
