"""Device trees as the kernel reads them: nodes, what each needs, and the header's pins that each takes."""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

# Properties that name nodes by phandle, and those nodes' property with the count of cells after it.
CELLS = {
    "clocks": "#clock-cells", "assigned-clocks": "#clock-cells", "assigned-clock-parents": "#clock-cells",
    "dmas": "#dma-cells", "gpio": "#gpio-cells", "gpios": "#gpio-cells", "iommus": "#iommu-cells",
    "interrupts-extended": "#interrupt-cells", "mboxes": "#mbox-cells", "msi-parent": "#msi-cells",
    "phys": "#phy-cells", "power-domains": "#power-domain-cells", "pwms": "#pwm-cells",
    "resets": "#reset-cells", "firmware": "", "mmc-pwrseq": "", "nvmem-cells": "",
}  # fmt: skip
PATTERNS = ((r"-gpios?$", "#gpio-cells"), (r"-supply$", ""), (r"^pinctrl-\d+$", ""))
RP1_GROUPS = {"i2c1_0": (2, 3), "vbus1": (42, 43)}  # those that a Pi 5's tree uses; the driver has the same
BEGIN, END, PROPERTY, NOTHING, LAST = 1, 2, 3, 4, 9


@dataclass(eq=False)
class Node:
    """A node and its properties."""

    name: str
    parent: "Node | None"
    properties: dict[str, bytes] = field(default_factory=dict)
    children: list["Node"] = field(default_factory=list)

    @property
    def path(self) -> str:
        """The path from the root."""
        return f"{self.parent.path.rstrip('/')}/{self.name}" if self.parent else "/"

    @property
    def enabled(self) -> bool:
        """Whether the kernel creates a device for it."""
        return self.text("status") in ([], ["okay"], ["ok"]) and (not self.parent or self.parent.enabled)

    def text(self, name: str) -> list[str]:
        """The strings of a property; none if it is missing."""
        return self.properties.get(name, b"").decode().split("\0")[:-1]

    def numbers(self, name: str) -> list[int]:
        """The cells of a property; none if it is missing."""
        value = self.properties.get(name, b"")
        return list(struct.unpack(f">{len(value) // 4}I", value))

    def walk(self) -> Iterator["Node"]:
        """Yield this node and all nodes below it."""
        yield self
        for child in self.children:
            yield from child.walk()


class Tree:
    """A device tree."""

    def __init__(self, blob: bytes) -> None:
        magic, _, start, strings = struct.unpack_from(">4I", blob)
        assert magic == 0xD00DFEED
        self.root = _read(blob, start, strings)
        # These two hold aliases, no devices.
        nodes = {node.path: node for node in self.root.walk()}
        self.nodes = {path: nodes[path] for path in nodes if path not in ("/aliases", "/__symbols__")}
        self.by_phandle = {node.numbers("phandle")[0]: node for node in self if "phandle" in node.properties}

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes.values())

    def references(self, node: Node) -> Iterator[tuple[str, Node, list[int]]]:
        """Yield (property, node, the cells that follow) for each node that this one names by phandle.

        Raise `KeyError` if there is none.
        """
        for name in node.properties:
            if name == "gpios" and "gpio-hog" in node.properties:  # numbers of its parent's pins
                continue
            found = [cells for pattern, cells in PATTERNS if re.search(pattern, name)]
            for size in [CELLS[name]] if name in CELLS else found:
                numbers = node.numbers(name)
                while numbers:
                    number = numbers.pop(0)
                    if not number:  # an empty entry in a list
                        continue
                    other = self.by_phandle[number]
                    count = sum(other.numbers(size)[:1])  # a controller of PCIe's interrupts may name none
                    yield name, other, numbers[:count]
                    del numbers[:count]

    def needed(self, node: Node) -> set[Node]:
        """Return the nodes that the kernel needs to drive this one: all on the way to it."""
        found: set[Node] = set()
        rest = [node]
        while rest:
            one = rest.pop()
            if one in found or not one.enabled:
                continue
            found.add(one)
            rest += [other for _, other, _ in self.references(one)]
            rest += [one.parent] if one.parent else []
            if "interrupts" in one.properties:
                rest.append(self._interrupt_parent(one))
        return found

    def _interrupt_parent(self, node: Node | None) -> Node:
        while node and "interrupt-parent" not in node.properties:
            node = node.parent
        assert node
        return self.by_phandle[node.numbers("interrupt-parent")[0]]

    def takers(self, bank: Node) -> Iterator[tuple[Node, str, int]]:
        """Yield (node, property, pin) for each pin of this bank that an enabled node uses or sets."""
        for node in filter(lambda node: node.enabled, self):
            if "gpio-hog" in node.properties and node.parent is bank:
                yield from ((node, "gpio-hog", pin) for pin in node.numbers("gpios")[::2])
                continue
            for name, other, cells in self.references(node):
                if other is bank and name != "interrupts-extended":
                    yield node, name, cells[0]
                elif name.startswith("pinctrl-") and bank.path in other.path:
                    yield from ((node, name, pin) for pin in pins_of(other))


def pins_of(group: Node) -> Iterator[int]:
    """Yield the pins of a group, in any notation."""
    for node in group.walk():
        yield from (pin for name in node.text("groups") for pin in RP1_GROUPS[name])
        yield from node.numbers("brcm,pins")
        yield from (int(pin.removeprefix("gpio")) for pin in node.text("pins"))


def _read(blob: bytes, at: int, strings: int) -> Node:
    """Return the root of the nodes that start there."""
    top = node = Node("", None)
    while True:
        [token] = struct.unpack_from(">I", blob, at)
        at += 4
        if token == BEGIN:
            end = blob.index(b"\0", at)
            child = Node(blob[at:end].decode(), node if node is not top else None)
            node.children.append(child)
            node, at = child, end + 1 + -(end + 1) % 4
        elif token == END:
            node = node.parent or top
        elif token == PROPERTY:
            size, name = struct.unpack_from(">2I", blob, at)
            key = blob[strings + name : blob.index(b"\0", strings + name)].decode()
            node.properties[key] = blob[at + 8 : at + 8 + size]
            at += 8 + size + -size % 4
        elif token == LAST:
            return top.children[0]
        else:
            assert token == NOTHING
