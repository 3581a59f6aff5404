#!/usr/bin/env python3
"""What the program itself costs: how long a run of one page takes, and a folder of pages with one thread and two.

    program.py PROGRAM [FOLDER] [--out TABLE.md]

Without a folder (of original pages, some 1,500) only the start is measured. Needs nothing but Python; times of a machine with no
other work alone mean anything.
"""

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path


def run(*command: str) -> tuple[float, float, float]:
    """Seconds on the clock, seconds of CPU, and the most memory in MB."""
    start = time.perf_counter()
    process = os.posix_spawn(
        command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    )
    _, status, usage = os.wait4(process, 0)
    # 1: some pages of the folder hold no text.
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise SystemExit(f"failed: {' '.join(command)}")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--out")
    options = parser.parse_args()
    rows = [("what", "clock (ms)", "CPU (ms)", "memory (MB)")]

    def add(what: str, rounds: int, *command: str) -> float:
        runs = [run(options.program, *command) for _ in range(rounds)]
        clock, cpu, memory = (statistics.median(column) for column in zip(*runs))
        rows.append((what, f"{1e3 * clock:.1f}", f"{1e3 * cpu:.1f}", f"{memory:.0f}"))
        return clock

    with tempfile.TemporaryDirectory() as place:
        page = Path(place, "page.html")
        page.write_text("<!doctype html><title>A title</title><h1>A title</h1>" + "<p>Some words of a short page." * 20)
        add("`--version`", 51, "--version")
        add("`extract` of one short page", 51, "extract", str(page))
        if options.folder:
            pages = sum(len(files) for _, _, files in os.walk(options.folder))
            clocks = [
                add(
                    f"`extract` of {pages:,} pages, {threads} thread{'s' if threads > 1 else ''}", 5,
                    "extract", "--input-dir", options.folder, "--threads", str(threads), "-q", "-o", f"{place}/texts",
                )
                for threads in (1, 2)
            ]
            rows.append(("two threads beside one", f"{clocks[0] / clocks[1]:.2f} times as fast", "", ""))
    head, *body = rows
    lines = [head, ("---", *["---:"] * (len(head) - 1)), *body]
    text = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    print(text, end="")
    if options.out:
        Path(options.out).write_text(text)


main()
