//! Checks of fleets that people place: which ships are allowed, and why the others are not.

use seabattle_core::{Fleet, FleetBuilder, FleetError, ParseFleetError, Placement, Rules, ViolationKind};
use serde::Serialize;

use crate::api_error::ApiError;

/// Why one ship cannot be placed: a sentence, and a code with the cells to mark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct ShipError {
    ship: String,
    code: &'static str,
    /// The cells that are wrong, those of the ship itself first.
    cells: Vec<String>,
    /// The first of `cells`.
    cell: Option<String>,
    /// The ship in the way.
    other: Option<String>,
    /// The cell of the other ship that is touched.
    other_cell: Option<String>,
    reason: String,
}

impl From<&seabattle_core::Violation> for ShipError {
    fn from(violation: &seabattle_core::Violation) -> Self {
        let (code, cell) = code_and_cell(&violation.kind);
        let (other, other_cell) = match &violation.kind {
            ViolationKind::Overlap { other, .. } => (Some(other.clone()), None),
            ViolationKind::Touching { other, other_cell, .. } => (Some(other.clone()), Some(other_cell.to_string())),
            _ => (None, None),
        };
        Self {
            ship: violation.ship.clone(),
            code,
            cells: cell.iter().chain(&other_cell).cloned().collect(),
            cell,
            other,
            other_cell,
            reason: violation.kind.to_string(),
        }
    }
}

/// The code of a violation, and the first cell that is wrong. Codes never change.
fn code_and_cell(kind: &ViolationKind) -> (&'static str, Option<String>) {
    let (code, cell) = match kind {
        ViolationKind::Outside { cell, .. } => ("outside", cell),
        ViolationKind::Overlap { cell, .. } => ("overlap", cell),
        ViolationKind::Touching { cell, .. } => ("touching", cell),
        ViolationKind::Repeated { cell } => ("duplicate", cell),
        ViolationKind::Gap { cell } => ("gap", cell),
        ViolationKind::NotStraight { cell } => ("not-straight", cell),
        ViolationKind::WrongLength { cell, .. } => ("wrong-length", cell),
        ViolationKind::TooMany { cell, .. } => ("too-many", cell),
        ViolationKind::Missing { .. } => return ("missing", None),
        ViolationKind::NoCells => return ("no-cells", None),
    };
    (code, Some(cell.to_string()))
}

fn ship_errors(error: &FleetError) -> Vec<ShipError> {
    error.violations.iter().map(ShipError::from).collect()
}

/// Parses a whole fleet. The error names every ship that is wrong.
pub(crate) fn read_fleet(rules: &Rules, text: &str) -> Result<Fleet, ApiError> {
    Fleet::parse(rules, text).map_err(|error| {
        let ships = match &error {
            ParseFleetError::Placement(_) => Vec::new(),
            ParseFleetError::Illegal(error) => ship_errors(error),
        };
        ApiError { refusals: ships, ..ApiError::bad_request("fleet", &error.to_string()) }
    })
}

/// Places ships one after the other. Returns those that fit, and errors for the others.
pub(crate) fn place_each(rules: &Rules, text: &str) -> Result<(FleetBuilder, Vec<ShipError>), ApiError> {
    let mut placed = FleetBuilder::new(rules);
    let mut refused = Vec::new();
    for ship in text.split(',').map(str::trim).filter(|ship| !ship.is_empty()) {
        let placement =
            Placement::parse(rules, ship).map_err(|error| ApiError::bad_request("ships", &error.to_string()))?;
        if let Err(error) = placed.place(&placement) {
            refused.extend(ship_errors(&error));
        }
    }
    Ok((placed, refused))
}
