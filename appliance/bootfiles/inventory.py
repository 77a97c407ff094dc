"""Which boot files are on a card: those that a model needs, those it lacks, and why the others are there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from appliance.bootfiles.configtxt import View, parse, view
from appliance.bootfiles.partition import Card
from appliance.bootfiles.table import Model, Need, table

_NO_PREFIX = (".elf", ".dat", ".bin", "config.txt")  # the firmware's own files: os_prefix is not for them


@dataclass(frozen=True, slots=True)
class FileRow:
    """One file: `status` is present, missing or unneeded; `models` need it; `source` may be ""."""

    status: str
    file: str
    models: tuple[str, ...]
    why: str
    source: str = ""


def file_rows(card: Card, models: Sequence[Model]) -> list[FileRow]:
    """Return a row for every file that one of the models needs, and for every other that is there."""
    settings = parse(card.text("config.txt") or "")
    needed: dict[tuple[str, str, str, str], list[str]] = {}
    for model in models:
        for row in _needs(card, model, view(settings, model.filters)):
            needed.setdefault(row, []).append(model.id)
    rows = [FileRow(row[0], row[1], tuple(ids), *row[2:]) for row, ids in needed.items()]
    rows.sort(key=lambda row: row.status != "missing")
    present = {row.file.lower() for row in rows}
    for name, written in sorted(card.names.items()):
        if name not in present:
            known = next(known for known in table().known if any(_fits(name, file) for file in known.files))
            rows.append(FileRow("unneeded", written, (), known.why))
    return rows


def _needs(card: Card, model: Model, config: View) -> Iterator[tuple[str, str, str, str]]:
    """Yield status, file, reason and source for each file that a model needs."""

    def row(names: Sequence[str], why: str, source: str) -> tuple[str, str, str, str]:
        there = next((name for name in names if name in card), None)
        return ("present" if there else "missing"), there or names[0], why, source

    decided = _decided(model, config)
    for need in table().needs:
        if model.id in need.models:
            names = _names(need, decided, _prefix(card, config))
            yield row(names, need.why.format_map(decided), need.source)
    for name in config.option("initramfs").partition(" ")[0].split(","):
        if name:
            line = config.options["initramfs"].number
            yield row([name], f"line {line} of config.txt loads it", "boot-options")
    for overlay in config.overlays:
        if any(fnmatchcase(overlay.name, uses.overlay) for uses in table().uses if uses.overlay):
            why = f"line {overlay.setting.number} of config.txt loads it"
            yield row([f"overlays/{overlay.name}.dtbo"], why, "overlays")


def _names(need: Need, decided: Mapping[str, str], prefix: str) -> list[str]:
    names = [name for file in need.files for name in file.format_map(decided).split()]
    if names[0].endswith(_NO_PREFIX):
        return names
    return [name.removeprefix("/") if name.startswith("/") else prefix + name for name in names]


def _decided(model: Model, config: View) -> Mapping[str, str]:
    """Return what config.txt decides: which firmware, kernels (by preference) and command line are read."""
    bits = {"0": 32, "1": 64}.get(config.option("arm_64bit"), model.bits)
    kernel = config.option("kernel") or " ".join(model.kernels[bits])
    decided = {"cmdline": config.option("cmdline", "cmdline.txt"), "kernel": kernel, "bits": str(bits)}
    if model.firmware:
        memory = config.option("gpu_mem")
        variant = "cut" if memory.isdecimal() and int(memory) <= 16 else "plain"
        variant = "debug" if config.option("start_debug") == "1" else variant
        variant = "x" if config.option("start_x") == "1" else variant
        start, fixup = table().firmware[model.firmware][variant]
        decided["start"] = config.option("start_file", start)
        decided["fixup"] = config.option("fixup_file", fixup)
    return decided


def _prefix(card: Card, config: View) -> str:
    """Return what stands before the names of the system's files: the firmware wants a kernel to be there."""
    prefix = config.option("os_prefix")
    there = any(name.startswith(f"{prefix}kernel".lower()) for name in card.names)
    return prefix if prefix and there else ""


def _fits(name: str, pattern: str) -> bool:
    """Return whether a name fits a pattern. Only the pattern `*` by itself reaches into folders."""
    return pattern == "*" or (name.count("/") == pattern.count("/") and fnmatchcase(name, pattern.lower()))
