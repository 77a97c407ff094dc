"""Which boot files are on a card: those that a model needs, those it lacks, and why the others are there."""

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from appliance.card.configtxt import View, parse, view
from appliance.card.partition import Card
from appliance.card.table import Model, table


class FileRow(NamedTuple):
    """One file: `status` is present or missing (`models` need it), ours, or not ours. `source` may be ""."""

    status: str
    file: str
    models: tuple[str, ...]
    why: str
    source: str = ""


def bootable(card: Card, model: Model) -> bool:
    """Return whether the card's image is for this model: a 64-bit one has no kernel for the first Zero."""
    return 64 in model.kernels or card.has(model.kernels[32][0])


def file_rows(card: Card, models: Sequence[Model]) -> list[FileRow]:
    """Return a row for each file that one of the models needs, and for each other that is there."""
    settings = parse(card.text)
    needed: dict[tuple[str, str, str, str], list[str]] = {}
    for model in models:
        for row in _needs(card, model, view(settings, model.filters)):
            needed.setdefault(row, []).append(model.id)
    rows = [FileRow(status, file, tuple(ids), why, src) for (status, file, why, src), ids in needed.items()]
    rows.sort(key=lambda row: row.status != "missing")
    listed = {row.file.lower() for row in rows}
    for name, written in sorted(card.names.items()):
        if name not in listed:
            known = next(known for known in table().known if any(_fits(name, file) for file in known.files))
            rows.append(FileRow("ours" if known.ours else "not ours", written, (), known.why))
    return rows


def _needs(card: Card, model: Model, config: View) -> Iterator[tuple[str, str, str, str]]:
    """Yield status, file, reason and source for each file that a model needs."""

    def row(names: Sequence[str], why: str, source: str) -> tuple[str, str, str, str]:
        there = next((name for name in names if card.has(name)), None)
        return ("present" if there else "missing"), there or names[0], why, source

    selected = _selected(model, config)
    for need in table().needs:
        if model.id in need.models:
            names = [
                name.removeprefix("/") for file in need.files for name in file.format_map(selected).split()
            ]
            yield row(names, need.why.format_map(selected), need.source)
    auto = config.options.get("auto_initramfs")
    if auto and auto.value == "1":
        kernel = next((name for name in selected["kernel"].split() if card.has(name)), "")
        if kernel.startswith("kernel"):  # the firmware derives the name so
            why = f"{kernel} starts from it (auto_initramfs); a fresh card's first boot needs it"
            yield row([kernel.replace("kernel", "initramfs", 1).removesuffix(".img")], why, "boot-options")
    for name in config.option("initramfs").partition(" ")[0].split(","):
        if name:
            setting = config.options["initramfs"]
            yield row([name], f"line {setting.number} of {setting.file} loads it", "boot-options")
    for overlay in config.overlays:
        if any(fnmatchcase(overlay.name, uses.overlay) for uses in table().uses if uses.overlay):
            why = f"line {overlay.setting.number} of {overlay.setting.file} loads it"
            yield row([f"overlays/{overlay.name}.dtbo"], why, "overlays")


def _selected(model: Model, config: View) -> Mapping[str, str]:
    """Return what config.txt selects: firmware, kernels (preferred ones first) and command line."""
    bits = {"0": 32, "1": 64}.get(config.option("arm_64bit"), model.bits)
    bits = bits if bits in model.kernels else model.bits
    kernel = config.option("kernel") or " ".join(model.kernels[bits])
    selected = {"cmdline": config.option("cmdline") or "cmdline.txt", "kernel": kernel, "bits": str(bits)}
    if model.firmware:
        memory = config.option("gpu_mem")
        variant = "cut" if memory.isdecimal() and int(memory) <= 16 else "plain"
        variant = "debug" if config.option("start_debug") == "1" else variant
        variant = "x" if config.option("start_x") == "1" else variant
        start, fixup = table().firmware[model.firmware][variant]
        selected["start"] = config.option("start_file") or start
        selected["fixup"] = config.option("fixup_file") or fixup
    return selected


def _fits(name: str, pattern: str) -> bool:
    """Return whether a name matches a pattern. Only the pattern `*` by itself matches a slash."""
    return pattern == "*" or (name.count("/") == pattern.count("/") and fnmatchcase(name, pattern.lower()))
