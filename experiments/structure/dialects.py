"""Writes the sources of this folder, which are GitHub's Markdown, in the dialects of generators of sites.

    python experiments/structure/dialects.py furo sources out
"""

import pathlib
import re
import sys

CALLOUT = re.compile(r"^> \[!(\w+)\]\n((?:>.*\n?)+)", re.MULTILINE)


def callouts(text, write):
    """The callouts of a text, each by its kind and its lines."""

    def one(match):
        lines = [line[1:].removeprefix(" ") for line in match[2].rstrip("\n").split("\n")]
        return write(match[1].lower(), lines) + "\n"

    return CALLOUT.sub(one, text)


def mkdocs(text):
    """Python-Markdown with the extensions of material.yml: `!!! note`, four blanks for what stands in an item."""
    text = callouts(text, lambda kind, lines: "\n".join([f"!!! {kind}", "", *("    " + line for line in lines)]))
    lines, in_code = [], False
    for line in text.split("\n"):
        if line.startswith("```"):
            in_code = not in_code
        if not in_code:
            line = re.sub(r"^: ", ":   ", line)
            # What stands in an item of a list is indented by four.
            line = re.sub(r"^ {2,3}(?=\S)", "    ", line)
        lines.append(line)
    return "\n".join(lines)


def myst(text):
    """MyST: callouts are directives."""
    return callouts(text, lambda kind, lines: "\n".join([f":::{{{kind}}}", *lines, ":::"]))


def same(text):
    return text


DIALECTS = {"material": mkdocs, "readthedocs": mkdocs, "furo": myst, "pandoc": same, "vitepress": same}


def main():
    dialect, sources, out = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    for source in sorted(sources.glob("*.md")):
        text = DIALECTS[dialect](source.read_text(encoding="utf-8"))
        (out / source.name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
