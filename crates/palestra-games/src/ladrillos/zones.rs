//! Tables by location of a cell: distances, the middle and the parts of walls.

use super::rules::Ladrillos;
use super::scan::DivisionsVersion;

/// Tables by place, with the same indexes as a position's labels.
#[derive(Clone, Debug)]
pub(super) struct Zones<const C: usize> {
    /// Distance as the program computes it: min(i, j, n − i, n − j).
    pub(super) distance: [u8; C],
    /// Number of rows or columns between the cell and the nearest wall.
    pub(super) from_walls: [u8; C],
    /// The parts of walls on which a cell lies, eight bits for version 2 and four for version 1, and one bit each for
    /// the middle of either version.
    pub(super) of: [u16; C],
    /// 1 for a place that is not on the board.
    pub(super) walls: [u8; C],
    /// The places that are in some zone.
    pub(super) places: Vec<u16>,
}

/// The parts of walls of version 2.
const WALLS_TWO: u16 = 0x00ff;
/// The parts of walls of version 1.
const WALLS_ONE: u16 = 0x0f00;
const MIDDLE_TWO: u16 = 0x1000;
const MIDDLE_ONE: u16 = 0x2000;

impl<const C: usize> Zones<C> {
    pub(super) fn new<const W: usize, const L: usize>(game: &Ladrillos<W, C, L>) -> Zones<C> {
        let n = game.n;
        let mut zones =
            Zones { distance: [0; C], from_walls: [0; C], of: [0; C], walls: [1; C], places: Vec::new() };
        for i in 0..n {
            for j in 0..n {
                let place = game.place(i, j) + game.stride();
                zones.distance[place] = i.min(j).min(n - i).min(n - j) as u8;
                zones.from_walls[place] = i.min(j).min(n - 1 - i).min(n - 1 - j) as u8;
                zones.walls[place] = 0;
                zones.of[place] = zone(n, i, j);
                if zones.of[place] != 0 {
                    zones.places.push(place as u16);
                }
            }
        }
        zones
    }

    /// The parts of walls that an island with cells in these zones joins to the middle.
    #[inline(always)]
    pub(super) fn joined(zones: u16) -> u16 {
        let one = if zones & MIDDLE_ONE != 0 { WALLS_ONE } else { 0 };
        let two = if zones & MIDDLE_TWO != 0 { WALLS_TWO } else { 0 };
        zones & (one | two)
    }

    /// Number of parts of walls by version 1 and by version 2.
    #[inline(always)]
    pub(super) fn counts(joined: u16) -> [i32; 2] {
        [(joined & WALLS_ONE).count_ones() as i32, (joined & WALLS_TWO).count_ones() as i32]
    }
}

fn zone(n: usize, i: usize, j: usize) -> u16 {
    let mut zone = 0;
    // Whether the cell is on the top, bottom, left and right wall, and its index along the wall.
    let walls = [(i == 0, j), (i == n - 1, j), (j == 0, i), (j == n - 1, i)];
    for (version, first_bit, middle) in
        [(DivisionsVersion::Two, 0, MIDDLE_TWO), (DivisionsVersion::One, 8, MIDDLE_ONE)]
    {
        for (part, [from, to]) in version.parts(n).enumerate() {
            for (wall, (is_on, along)) in walls.into_iter().enumerate() {
                if is_on && (from..to).contains(&along) {
                    zone |= 1 << (first_bit + 4 * part + wall);
                }
            }
        }
        let [from, to] = version.middle(n);
        if (from..to).contains(&i) && (from..to).contains(&j) {
            zone |= middle;
        }
    }
    zone
}
