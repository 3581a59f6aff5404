#!/usr/bin/env python3
"""What the program itself costs: how long a run of one page takes, and a folder of pages with one thread and two; and how much two
programs do at once, which is what two threads can at most.

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


def start(*command: str) -> int:
    """The number of the process, whose output goes nowhere."""
    return os.posix_spawn(
        command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    )


def run(*command: str, at_once: int = 1) -> tuple[float, float, float]:
    """Seconds on the clock, seconds of CPU, and the most memory in MB, of so many runs at the same time."""
    begin = time.perf_counter()
    usages = []
    for process in [start(*command) for _ in range(at_once)]:
        _, status, usage = os.wait4(process, 0)
        # 1: some pages of the folder hold no text.
        if os.waitstatus_to_exitcode(status) not in (0, 1):
            raise SystemExit(f"failed: {' '.join(command)}")
        usages.append(usage)
    cpu = sum(usage.ru_utime + usage.ru_stime for usage in usages)
    return time.perf_counter() - begin, cpu, max(usage.ru_maxrss for usage in usages) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--out")
    options = parser.parse_args()
    rows = [("what", "clock (ms)", "CPU (ms)", "memory (MB)")]

    def add(what: str, rounds: int, *command: str, at_once: int = 1) -> float:
        runs = [run(options.program, *command, at_once=at_once) for _ in range(rounds)]
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

            def folder(what: str, threads: int, at_once: int = 1) -> float:
                command = ["extract", "--input-dir", options.folder, "--threads", str(threads), "-q", "-o", os.devnull]
                return add(f"`extract` of {pages:,} pages, {what}", 5, *command, at_once=at_once)

            one = folder("1 thread", 1)
            two = folder("2 threads", 2)
            both = folder("1 thread, by two programs at once", 1, at_once=2)
            rows.append(("two threads beside one", f"{one / two:.2f} times as fast", "", ""))
            rows.append(("two programs beside one: what the machine gives", f"{2 * one / both:.2f} times as much", "", ""))
    head, *body = rows
    lines = [head, ("---", *["---:"] * (len(head) - 1)), *body]
    text = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    print(text, end="")
    if options.out:
        Path(options.out).write_text(text)


main()
