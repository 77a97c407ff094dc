// A case to print: a base, and a lid that is the front panel. Choose here, or with OpenSCAD's -D; `make case` renders
// all of them. Both print as they lie, without supports: the base on its floor, the lid on its front.

include <dimensions.scad>

part = "base"; // [base, lid]
board = 0; // of the base: 0 is a Zero, 1 a 3 or 4
display = 0; // of the lid: 0 is 0.96 inch, 1 is 1.3, 2 is 0.91, 3 is 2.42

$fn = 24;
through = 0.1; // what is cut away reaches this far beyond the surface

pi_size = boards[board][1];
pi_holes = boards[board][3];
power_at = boards[board][4];
card_at = boards[board][5];
depth = wall + standoff[1] + board_thickness + boards[board][2] + button_depth; // of the base

// A circle whose polygon lies outside it, so that what goes through it does.
module round_hole(diameter) {
    circle(d = diameter / cos(180 / $fn));
}

module outline() {
    translate([corner, corner]) offset(corner) square(panel - 2 * [corner, corner]);
}

// To a point of the front, x right and y down.
module at(x, y) {
    translate([x, panel.y - y]) children();
}

module at_screws() {
    for (x = [screw_edge, panel.x - screw_edge], y = [screw_edge, panel.y - screw_edge]) at(x, y) children();
}

// To a point of the board: `along` its header from the card, `across` from the power socket.
module on_board(along, across) {
    at(board_at.x + across, board_at.y + along) children();
}

module lid() {
    window = displays[display][1] + 2 * [margin, margin];
    difference() {
        linear_extrude(lid) difference() {
            outline();
            at_screws() round_hole(screw);
            for (row = [0:2], column = [-1:1]) at(panel.x / 2 + column * pitch, keys_y + row * pitch) round_hole(hole);
        }
        at(panel.x / 2, display_y) {
            linear_extrude(lid + through) square(window, center = true);
            hull() {
                linear_extrude(bevel) square(window, center = true);
                translate([0, 0, -through]) linear_extrude(through) square(window + 2 * [bevel, bevel], center = true);
            }
        }
    }
}

module base() {
    difference() {
        union() {
            linear_extrude(wall) outline();
            linear_extrude(depth) difference() {
                outline();
                translate([wall, wall]) square(panel - 2 * [wall, wall]);
            }
            linear_extrude(depth) at_screws() circle(d = post);
            linear_extrude(wall + standoff[1]) for (place = pi_holes) on_board(place.x, place.y) circle(d = standoff[0]);
        }
        translate([0, 0, depth - post_pilot_depth]) linear_extrude(depth) at_screws() round_hole(post_pilot);
        translate([0, 0, wall + standoff[1] - standoff_pilot[1]]) linear_extrude(depth)
            for (place = pi_holes) on_board(place.x, place.y) round_hole(standoff_pilot[0]);
        at(-through, board_at.y + power_at + power_opening[0] / 2) translate([0, 0, opening_z])
            cube([wall + 2 * through, power_opening[0], power_opening[1]]);
        at(board_at.x + card_at - card_opening[0] / 2, wall + through) translate([0, 0, opening_z])
            cube([card_opening[0], wall + 2 * through, card_opening[1]]);
    }
}

if (part == "lid") lid();
if (part == "base") base();
