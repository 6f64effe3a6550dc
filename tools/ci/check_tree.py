#!/usr/bin/env python3
"""Checks what lies in the repository: its top-level folders, absolute paths in its text, and the sources of its numbers.

usage: check_tree.py [root of the repository]
"""
import pathlib
import re
import subprocess
import sys

FOLDERS = {"sim", "topology", "workloads", "configs", "tests", "tools", "docs"}
FILES = {"CMakeLists.txt", "CMakePresets.json", "README.md", "LICENSE"}  # beside dot-files
# Paths of one machine. Put together here, so that this file passes its own check.
ABSOLUTE = re.compile(r"(?<![\w./~-])/(?:" + "|".join(("work", "root", "home")) + r")(?:/|\b)")
# Whose numbers need a source: a `source:` (or `basis:`, of a fit) of the whole file, or a source in the block of lines
# between blank lines, or a comment on the line itself.
SOURCED = ("gpus", "nics", "links", "switches", "calibration", "frameworks")
NUMBER = re.compile(r"(?:^\s*-\s+|[:\[,{]\s*)[\"']?[-+]?\.?\d")
SOURCE = re.compile(r"\bsources?:[ \t]*\S", re.IGNORECASE)
FILE_SOURCE = re.compile(r"^(?:source|basis):[ \t]*\S", re.MULTILINE)


def tracked(root):
    """Files of the repository, and those about to be: not the ignored ones. Without git, all but dot and build folders."""
    git = ["git", "-c", "safe.directory=*", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if (root / ".git").exists():
        names = subprocess.run(git, check=True, capture_output=True).stdout.decode().split("\0")
    else:
        names = [path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()]
        names = [name for name in names if not name.startswith(("build", "out/", ".cache/"))]
    return sorted(name for name in names if name and (root / name).is_file())


def top_level_problems(names):
    for top in sorted({name.split("/")[0] for name in names if "/" in name and not name.startswith(".")} - FOLDERS):
        yield f"{top}/: top-level folders are {', '.join(sorted(FOLDERS))}"
    for name in names:
        if "/" not in name and not name.startswith(".") and name not in FILES:
            yield f"{name}: top-level files are {', '.join(sorted(FILES))} and dot-files"


def absolute_path_problems(name, text):
    for number, line in enumerate(text.splitlines(), 1):
        if ABSOLUTE.search(line):
            yield f"{name}:{number}: absolute path of one machine: {line.strip()[:100]}"


def source_problems(name, text):
    if FILE_SOURCE.search(text):
        return
    rows = text.splitlines()
    start = 0
    for end in [i for i, row in enumerate(rows) if not row.strip()] + [len(rows)]:
        block, first, start = rows[start:end], start + 1, end + 1
        if any(SOURCE.search(row) for row in block):
            continue
        for number, row in enumerate(block, first):
            if NUMBER.search(row) and " #" not in row and not row.lstrip().startswith("#"):
                yield f"{name}:{number}: a number without a source (of the file, the block or the line): {row.strip()[:80]}"


def problems(root):
    names = tracked(root)
    yield from top_level_problems(names)
    for name in names:
        try:
            text = (root / name).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # not text
        yield from absolute_path_problems(name, text)
        parts = name.split("/")
        if parts[0] == "configs" and len(parts) == 3 and parts[1] in SOURCED and name.endswith(".yaml"):
            yield from source_problems(name, text)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2])
    found = list(problems(root))
    print("\n".join(found) if found else "the tree is as it should be")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
