#!/usr/bin/env python3
"""Greps the #include lines of the sources against the law of the layout; prints each breach, exits 1 if there is one.

usage: check_includes.py [root of the repository]
"""
import pathlib
import re
import sys

# What a folder may include of ours, besides itself. Kernels name the platform's data types; the rest goes downwards.
SIM = {
    "base": set(),
    "config": {"base"},
    "engine": {"base"},
    "platform": {"base", "config", "engine"},
    "program": {"base", "config", "engine", "platform"},
    "network": {"base", "config", "engine", "platform", "program"},
    "compute": {"base", "config", "engine", "platform", "program"},
    "collective": {"base", "config", "engine", "platform", "program"},
    "trace": {"base", "platform", "program"},
    "device": {"base", "config", "engine", "platform", "program", "network", "compute", "collective"},
    "run": {"base", "config", "engine", "platform", "program", "network", "compute", "collective", "device", "trace"},
}
ALL_SIM = {f"sim/{folder}" for folder in SIM}
LAW = {f"sim/{folder}": {f"sim/{below}" for below in lower} for folder, lower in SIM.items()}
LAW |= {"topology": ALL_SIM, "workloads": ALL_SIM, "tools": ALL_SIM | {"topology", "workloads"}}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
MAX_BOOST_GRAPH_SOURCES = 3


def owner(path):
    """sim/config/node.h -> sim/config, topology/node/x.cc -> topology; None if it is not ours."""
    parts = path.split("/")
    if parts[0] == "sim":
        return "/".join(parts[:2])
    return parts[0] if parts[0] in ("topology", "workloads", "tools", "tests") else None


def boost_graph_problems(includes):
    """Boost.Graph compiles slowly: in few sources, all of topology, and in no header that others see."""
    direct = {path for path, names in includes.items() if any(name.startswith("boost/graph") for name in names)}
    for path in sorted(direct):
        if owner(path) != "topology":
            yield f"{path}: boost/graph belongs to topology alone"
    tainted = set(direct)
    while True:
        more = {path for path, names in includes.items() if path not in tainted and tainted & set(names)}
        if not more:
            break
        tainted |= more
    for path in sorted(tainted - direct):
        if owner(path) != "topology":
            yield f"{path}: includes boost/graph through a header of topology"
    sources = sorted(path for path in tainted if path.endswith(".cc"))
    if len(sources) > MAX_BOOST_GRAPH_SOURCES:
        yield f"boost/graph reaches {len(sources)} sources, at most {MAX_BOOST_GRAPH_SOURCES}: {', '.join(sources)}"


def problems(root):
    includes = {}
    for top in ("sim", "topology", "workloads", "tools"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix in (".h", ".cc"):
                includes[file.relative_to(root).as_posix()] = INCLUDE.findall(file.read_text(encoding="utf-8"))
    if not includes:
        yield f"{root}: no sources found"
    for path, names in includes.items():
        place = owner(path)
        if place not in LAW:
            yield f"{path}: the law knows no folder {place}"
            continue
        for name in names:
            target = owner(name)
            if target is not None and target != place and target not in LAW[place]:
                yield f"{path}: {place} must not include {name}"
            if name.startswith("yaml-cpp/") and place != "sim/config":
                yield f"{path}: yaml-cpp belongs to sim/config alone"
    yield from boost_graph_problems(includes)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2])
    found = list(problems(root))
    print("\n".join(found) if found else "includes keep the law of the layout")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
