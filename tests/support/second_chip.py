"""A second decoder of the bytes sent to a display, to check the emulated chips in `appliance.simulator`.

Written only from the datasheets, with another design: it keeps the light of each COM output and segment, and
looks it up from the panel's side. It is lenient where the emulator raises `ChipError`.

SSD1306 (rev 1.1; tables 9-1 and 10-3 to 10-5), SSD1309 (rev 1.1) and SH1106 (V2.3, "Power On Reset").
"""

OPERANDS = {0x20: 1, 0x21: 2, 0x22: 2, 0x81: 1, 0x8D: 1, 0xA8: 1, 0xAD: 1, 0xD3: 1}
OPERANDS |= {0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1}
AT_RESET = {"on": 0, "contrast": 0x7F, "remap": 0, "down": 0, "invert": 0, "all": 0, "start": 0, "shift": 0}
AT_RESET |= {"ratio": 64, "pins": 0x12, "mode": 2, "pump": 0}
HORIZONTAL, VERTICAL, BY_PAGE = 0, 1, 2


class SecondChip:
    """A controller on a module of 128 columns; `ram` is what it holds at power-on, by page and segment.

    An SH1106's panel is wired to 128 of its 132 outputs, by default from output `wired` = 2.
    """

    def __init__(self, driver, height, ram, wired=2):
        self.sino = driver == "sh1106"
        self.wired = wired if self.sino else 0
        self.pumped = driver == "ssd1306"
        self.height = height
        self.width = 132 if self.sino else 128
        self.reset(ram)

    def reset(self, ram):
        self.fill(ram)
        self.registers = AT_RESET | ({"contrast": 0x80} if self.sino else {})
        self.x, self.y, self.pending = 0, 0, []
        self.box = [0, self.width - 1, 0, 7]
        self.powered = not self.pumped

    def fill(self, ram):
        self.ram = [bytearray(ram[at : at + self.width]) for at in range(0, len(ram), self.width)]

    def write(self, payload):
        payload = list(payload)
        while payload:
            control = payload.pop(0)
            count = 1 if control & 0x80 else len(payload)
            for byte in payload[:count]:
                (self.datum if control & 0x40 else self.order)(byte)
            del payload[:count]

    def datum(self, byte):
        if self.x < self.width:
            self.ram[self.y][self.width - 1 - self.x if self.registers["remap"] else self.x] = byte
        left, right, top, bottom = self.box
        mode = BY_PAGE if self.sino else self.registers["mode"]
        if mode == VERTICAL:
            self.y = top if self.y == bottom else (self.y + 1) % 8
            if self.y == top:
                self.x = left if self.x == right else (self.x + 1) % 128
        elif self.sino:
            self.x += 1
        else:
            end = self.x in (right, 127)
            self.x = left if end else self.x + 1
            if end and mode == HORIZONTAL:
                self.y = top if self.y in (bottom, 7) else self.y + 1

    def order(self, byte):
        self.pending.append(byte)
        code, *values = self.pending
        if len(values) == OPERANDS.get(code, 0):
            self.pending = []
            self.obey(code, values)

    def obey(self, code, values):
        registers = self.registers
        if code in (0x21, 0x22):
            at = 0 if code == 0x21 else 2
            self.box[at : at + 2] = values
            if registers["mode"] != BY_PAGE:
                self.x, self.y = (values[0], self.y) if at == 0 else (self.x, values[0])
        elif code >> 4 == 0x0:
            self.x = self.x & 0xF0 | code
        elif code >> 4 == 0x1:
            self.x = self.x & 0x0F | (code & 0x0F) << 4
        elif code >> 6 == 1:
            registers["start"] = code & 63
        elif code >> 3 == 0xB0 >> 3:
            self.y = code & 7
        elif code in (0xAE, 0xAF):
            registers["on"] = code & 1
            if self.pumped:
                self.powered = code == 0xAF and registers["pump"] == 0x14
        elif code == 0x8D:
            registers["pump"] = values[0]
            self.powered = self.powered and values[0] == 0x14
        elif code in (0xA0, 0xA1, 0xA4, 0xA5, 0xA6, 0xA7):
            registers[{0xA0: "remap", 0xA4: "all", 0xA6: "invert"}[code & 0xFE]] = code & 1
        elif code in (0xC0, 0xC8):
            registers["down"] = code >> 3 & 1
        elif code in (0x20, 0x81, 0xA8, 0xD3, 0xDA):
            name = {0x20: "mode", 0x81: "contrast", 0xA8: "ratio", 0xD3: "shift", 0xDA: "pins"}[code]
            registers[name] = values[0] + (code == 0xA8)

    def lit_pads(self):
        """Return, for each COM pad that is driven, the row of the memory on it (table 10-3)."""
        registers = self.registers
        pads = {}
        for line in range(registers["ratio"]):  # each line of a frame, in the order of the scan
            output = line - registers["shift"]
            com = (registers["ratio"] - 1 - output if registers["down"] else output) % 64
            pad = com // 2 + com % 2 * 32 if registers["pins"] & 0x10 else com
            pads[pad ^ (32 if registers["pins"] & 0x20 else 0)] = (line + registers["start"]) % 64
        return pads

    def eye(self):
        """Return what a person sees, row by row in "#" and "."; 0xA1 and 0xC8 are upright."""
        if not (self.registers["on"] and self.powered):
            return ["." * 128] * self.height
        pads, first = self.lit_pads(), self.wired
        rows = []
        for y in range(self.height):
            com = self.height - 1 - y
            row = pads.get(com // 2 + com % 2 * 32 if self.height == 64 else com)
            if row is None:
                rows.append("." * 128)
                continue
            mask, off = 1 << row % 8, 0 if self.registers["invert"] else 1
            line = self.ram[row // 8][first : first + 128][::-1]
            bits = "".join("#" if self.registers["all"] or bool(b & mask) == off else "." for b in line)
            rows.append(bits)
        return rows
