// The dimensions of the front panel and the case, in millimetres. Each has its only home here: case.scad includes this
// file, and appliance/desk/dimensions.py reads it. A value is a number, a text or a list; x points right and y down,
// from the panel's upper left corner as seen from the front; z points up from the table under the base.

// The panel, which is the case's lid.
panel = [90, 140];
pitch = 24; // between the centres of neighbouring buttons: heads of up to 20 mm leave room for fingers
hole = 12; // the thread's diameter of the common round panel button (PBS-33 and similar)
keys_y = 63; // centre of the first row of buttons
display_y = 28; // centre of the window
screw = 3.2; // for M3
screw_edge = 5; // from the edges to the screws

// Diagonal in inches; lit area; circuit board behind the panel, roughly. The lit area of 0.91 inch is that of Midas
// MDOG128032C2V-WS, its board that of Silicon Chip, November 2024.
displays = [
    ["0.96", [21.7, 10.9], [28, 28]],
    ["1.3", [29.4, 14.7], [36, 34]],
    ["0.91", [22.4, 5.6], [38, 12]],
    ["2.42", [55, 27.5], [73, 43]],
];
margin = 1; // between the lit area and the window's edge

// The case.
lid = 3;
wall = 2.4; // of the base, and its floor
corner = 2; // radius of the upright edges
bevel = 1.5; // of the window, so that one can look in from above
button_depth = 30; // behind the panel, with its soldered legs
post = 6.8; // diameter of the posts for the lid's screws
post_pilot = 2.6; // M3 cuts its own thread
post_pilot_depth = 12;

// The board lies with its parts towards the panel, its card at the upper wall, its power socket at the left.
board_at = [9, 5]; // its corner between these two edges, from the panel's upper left corner
board_thickness = 1.4;
standoff = [6, 4]; // diameter and height
standoff_pilot = [2.1, 5]; // M2.5 cuts its own thread
power_opening = [14, 11]; // along the wall, upwards: takes the body of a plug, which reaches in
card_opening = [18, 11]; // room for a fingertip
opening_z = 3.5; // lower edge of both

// Raspberry Pi's mechanical drawings. Name; size, along the header first; the highest part; holes, from the corner
// between card and power socket; along these edges the middle of the power socket and of the card.
boards = [
    ["zero", [65, 30], 8, [[3.5, 3.5], [61.5, 3.5], [3.5, 26.5], [61.5, 26.5]], 54, 16.9],
    ["3-4", [85, 56], 16, [[3.5, 3.5], [61.5, 3.5], [3.5, 52.5], [61.5, 52.5]], 10.9, 28],
];
