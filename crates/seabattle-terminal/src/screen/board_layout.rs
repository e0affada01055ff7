//! Places two boards side by side or stacked, or one of them in a narrow window.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use seabattle_core::{CellSet, Fleet, Knowledge, Size, TextBoard};

use super::board::{BoardView, ShipOutline};
use super::cell_size::CellSize;
use super::style::Styles;
use super::viewport::Viewport;

/// The height from which a page gets all the rows it wants below the boards.
const ROOMY: u16 = 21;

/// Where the boards are drawn, and the area below them.
pub(super) struct BoardLayout {
    left: Option<Rect>,
    right: Option<Rect>,
    cell: CellSize,
    pub(super) below: Rect,
}

impl BoardLayout {
    /// Divides an area. `below` is the least number of rows to leave below the boards, if possible.
    /// `wanted` applies if the boards do not fit anyway. `right_only` chooses the board if only one fits.
    pub(super) fn new(area: Rect, size: Size, below: u16, wanted: u16, right_only: bool) -> Self {
        let half = area.width / 2;
        let left_over = if area.height < ROOMY { below } else { wanted };
        let room = area.height.saturating_sub(wanted);
        let rest = |rows: u16| Rect::new(area.x, area.y + rows, area.width, area.height - rows);
        let cell = CellSize::largest(size, half, room);
        let (width, height) = cell.board(size);
        if width <= half {
            let rows = height.min(area.height.saturating_sub(left_over).max(5));
            let left = Rect::new(area.x, area.y, half, rows);
            let right = Rect::new(area.x + half, area.y, area.width - half, rows);
            return Self { left: Some(left), right: Some(right), cell, below: rest(rows) };
        }
        let cell = CellSize::largest(size, area.width, room / 2);
        let height = cell.board(size).1;
        if 2 * height + below <= area.height {
            let left = Rect::new(area.x, area.y, area.width, height);
            let right = Rect::new(area.x, area.y + height, area.width, height);
            return Self { left: Some(left), right: Some(right), cell, below: rest(2 * height) };
        }
        let cell = CellSize::largest(size, area.width, room);
        let rows = cell.board(size).1.min(area.height.saturating_sub(left_over).max(5));
        let one = Rect::new(area.x, area.y, area.width, rows);
        let (left, right) = if right_only { (None, Some(one)) } else { (Some(one), None) };
        Self { left, right, cell, below: rest(rows) }
    }

    /// Draws the boards and returns their visible parts. Both scroll together: the active board leads.
    pub(super) fn draw(
        &self,
        left: &BoardView<'_>,
        right: &BoardView<'_>,
        buffer: &mut Buffer,
        styles: Styles,
    ) -> [Viewport; 2] {
        let mut draw = |area: Option<Rect>, view: &BoardView<'_>, leader: Option<Viewport>| {
            area.map_or_else(Viewport::default, |area| view.draw(area, self.cell, leader, buffer, styles))
        };
        if right.active {
            let leader = draw(self.right, right, None);
            return [draw(self.left, left, Some(leader)), leader];
        }
        let leader = draw(self.left, left, None);
        [leader, draw(self.right, right, Some(leader))]
    }
}

/// Shows the enemy's board as far as it is known.
pub(super) fn enemy_board<'a>(title: &str, knowledge: &Knowledge) -> BoardView<'a> {
    let sunk_ships = knowledge.sinkings().iter().filter_map(|sinking| sinking.cells.clone());
    let ships_shown = sunk_ships.map(|cells| ShipOutline { cells, sunk: true }).collect();
    board_view(title, TextBoard::of_enemy(knowledge), ships_shown)
}

/// Shows a whole fleet with the shots fired at it.
pub(super) fn fleet_board<'a>(title: &str, fleet: &Fleet, incoming: &Knowledge) -> BoardView<'a> {
    let size = fleet.rules().size();
    let outline = |ship: &seabattle_core::Ship| {
        let cells = CellSet::of_ship(size, ship);
        ShipOutline { sunk: cells.is_subset(incoming.hits()), cells }
    };
    board_view(title, TextBoard::of_fleet(fleet, incoming), fleet.ships().iter().map(outline).collect())
}

/// Shows a board without cursor, overlays and heat map.
pub(super) fn board_view<'a>(title: &str, board: TextBoard, ships_shown: Vec<ShipOutline>) -> BoardView<'a> {
    BoardView {
        title: title.to_owned(),
        board,
        ships_shown,
        cursor: None,
        focus: None,
        previous: Viewport::default(),
        overlays: Vec::new(),
        effects: Vec::new(),
        heat_map: None,
        active: false,
    }
}
