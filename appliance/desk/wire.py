"""What goes over the wires, for people: the bytes to a display's chip, and the levels of the keys' pins."""

from appliance.simulator.chip import Chip

DATA_BIT = 0x40  # the bit of a control byte that says so

# After the datasheets.
_COMMANDS = {
    **dict.fromkeys(range(0x10), "column, low half {low}"),
    **dict.fromkeys(range(0x10, 0x20), "column, high half {low}"),
    0x20: "addressing mode {args}",
    0x21: "columns {args}",
    0x22: "pages {args}",
    0x2E: "stop scrolling",
    **dict.fromkeys(range(0x30, 0x34), "pump voltage {low}"),
    **dict.fromkeys(range(0x40, 0x80), "start line {line}"),
    0x81: "contrast {args}",
    0x8D: "charge pump {args}",
    0xA0: "segments forward",
    0xA1: "segments reversed",
    0xA4: "show the memory",
    0xA5: "light every pixel",
    0xA6: "not inverted",
    0xA7: "inverted",
    0xA8: "multiplex ratio {args}",
    0xAE: "display off",
    0xAF: "display on",
    **dict.fromkeys(range(0xB0, 0xB8), "page {low}"),
    0xC0: "rows forward",
    0xC8: "rows reversed",
    0xD3: "display offset {args}",
    0xD5: "clock {args}",
    0xD9: "pre-charge {args}",
    0xDA: "COM pins {args}",
    0xDB: "VCOMH level {args}",
    0xE3: "no operation",
}
_OTHER = "command {opcode:#04x} {args}"  # 0xAD, too: converter or reference current, as the chip has it


def decode(chip: Chip, payload: bytes, acknowledged: int) -> str:
    """Say what a transaction's bytes will do to a chip."""
    if acknowledged < 0:
        return "no answer from this address"
    twin, said = chip.twin(), []
    command, places = twin.pending, list[tuple[int, int]]()
    rest = payload[:acknowledged]
    while rest:
        control = rest[0]
        part, rest = (rest[1:2], rest[2:]) if control & 0x80 else (rest[1:], b"")
        for byte in part:
            if control & DATA_BIT:
                places.append((twin.page, twin.column))
            else:
                command += bytes([byte])
                if len(command) > chip.arguments.get(command[0], 0):
                    said.append(_command(command))
                    command = b""
            twin.write(bytes([control & DATA_BIT, byte]))
    if places:
        said.append(f"data, {_area(places)}")
    if command:
        said.append("an unfinished command")
    if acknowledged < len(payload):
        said.append(f"not acknowledged after {acknowledged} bytes")
    return "; ".join(said) or "nothing"


def _command(command: bytes) -> str:
    opcode, args = command[0], "-".join(str(byte) for byte in command[1:])
    name = _COMMANDS.get(opcode, _OTHER)
    return name.format(opcode=opcode, args=args, low=opcode & 0x0F, line=opcode & 0x3F)


def _area(places: list[tuple[int, int]]) -> str:
    pages, columns = zip(*places, strict=True)
    return f"{_range('page', pages)}, {_range('column', columns)}"


def _range(name: str, numbers: tuple[int, ...]) -> str:
    first, last = min(numbers), max(numbers)
    return f"{name} {first}" if first == last else f"{name}s {first}-{last}"
