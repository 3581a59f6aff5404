#!/usr/bin/env python3
"""A million pages through Spark on one machine: is every record accounted for, do rate and memory stay as they are?

    scripts/python.sh -k spark
    cargo build --release
    target/python/bin/python python/benchmarks/spark_load.py

Makes web archives of synthetic pages, the same ones again and again, extracts them with Spark on all cores to Parquet in ten jobs of
one session, and does so again with one record of a hundred damaged in its compressed bytes. Writes results/reliability/spark. Needs
about half an hour on two cores, and Java 17 or 21.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Pages of an archive, by sites of five.
PAGES = 5_000
# Of so many records one is damaged, where some are.
DAMAGED = 100
JOBS = 10


def members(archive: bytes) -> list[bytes]:
    """The gzip members of an archive, a record each."""
    found = []
    while archive:
        unpacker = zlib.decompressobj(wbits=31)
        unpacker.decompress(archive)
        rest = unpacker.unused_data
        found.append(archive[: len(archive) - len(rest)])
        archive = rest
    return found


def damaged(records: list[bytes]) -> tuple[bytes, int]:
    """The archive with the middle bytes of one record of a hundred turned over, and how many those are."""
    changed, n = [], 0
    # The first record says what made the archive.
    for number, record in enumerate(records):
        if number % DAMAGED == DAMAGED // 2:
            middle = len(record) // 2
            record = record[:middle] + bytes(byte ^ 0xFF for byte in record[middle : middle + 8]) + record[middle + 8 :]
            n += 1
        changed.append(record)
    return b"".join(changed), n


def used() -> tuple[int, float]:
    """The memory in bytes, and the processor's seconds so far, of this process and all that it started: Java and Python's workers."""
    processes = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            # From the state on: the parent is the second, and the four times are the 12th to 15th.
            stat = (folder / "stat").read_text().rpartition(")")[2].split()
            size = int((folder / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, IndexError):
            continue
        processes[int(folder.name)] = (int(stat[1]), size, sum(map(int, stat[11:15])) / os.sysconf("SC_CLK_TCK"))

    def is_ours(process: int) -> bool:
        while process in processes and process != os.getpid():
            process = processes[process][0]
        return process == os.getpid()

    ours = [(size, seconds) for process, (_, size, seconds) in processes.items() if is_ours(process)]
    return sum(size for size, _ in ours), sum(seconds for _, seconds in ours)


class Watch:
    """The most memory since it was last asked for."""

    def __init__(self) -> None:
        self.most = 0
        threading.Thread(target=self._look, daemon=True).start()

    def _look(self) -> None:
        while True:
            self.most = max(self.most, used()[0])
            time.sleep(0.5)

    def take(self) -> int:
        most, self.most = self.most, 0
        return most


def run(spark, archive: bytes, n_damaged: int, pages: int, home: Path, watch: Watch) -> dict:
    """Extracts the archive as often as it takes for so many pages, in jobs of one session."""
    from pyspark.sql.functions import col, count, lit, sum as total, when

    import duramen.spark

    files = pages // PAGES
    source = home / "archives"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir()
    first = source / "0000.warc.gz"
    first.write_bytes(archive)
    for number in range(1, files // JOBS):
        os.link(first, source / f"{number:04}.warc.gz")
    course: list[dict[str, float]] = []
    counts: dict[str, int] = {}
    watch.take()
    for job in range(JOBS):
        start, cpu = time.monotonic(), used()[1]
        found = duramen.spark.extract(spark.read.format("warc").load(str(source)), charset="charset")
        found.write.mode("overwrite").parquet(str(home / "texts"))
        seconds, cpu = time.monotonic() - start, used()[1] - cpu
        written = spark.read.parquet(str(home / "texts"))
        is_damage = col("record_id").isNull()
        what = when(is_damage, lit("damaged record")).otherwise(col("status"))
        for row in written.groupBy(what.alias("what")).agg(count("*").alias("n")).collect():
            counts[row.what] = counts.get(row.what, 0) + row.n
        unsaid = written.where((col("status") != "ok") & col("problem").isNull() & col("record_problem").isNull())
        counts["failed without a reason"] = counts.get("failed without a reason", 0) + unsaid.count()
        course.append({"pages": files // JOBS * PAGES, "seconds": seconds, "cpu": cpu, "memory": watch.take()})
        print(f"{job + 1}/{JOBS}: {course[-1]['pages'] / seconds:.0f} pages/s", file=sys.stderr)
    return {"pages": files * PAGES, "damaged": n_damaged * files, "rows": counts, "course": course}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=ROOT / "target/release/duramen", type=Path, help="makes the pages")
    parser.add_argument("--pages", default=1_000_000, type=int, help=f"a multiple of {JOBS * PAGES:,}; default 1,000,000")
    parser.add_argument("--output", default=ROOT / "results/reliability/spark", type=Path, help="folder of the results")
    options = parser.parse_args()
    if options.pages % (JOBS * PAGES):
        sys.exit(f"--pages {options.pages}: give a multiple of {JOBS * PAGES:,}")
    program = options.program.resolve()
    if not program.is_file():
        sys.exit(f"{program}: not there; run cargo build --release")
    # Its workers take this Python, which has the package.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    import pyspark
    from pyspark.sql import SparkSession

    import duramen
    import duramen.spark

    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        made = [program, "-q", "data", "synth", "--sites", str(PAGES // 5), "-d", home]
        subprocess.run(made, check=True, cwd=home, stdout=subprocess.DEVNULL)
        subprocess.run([program, "-q", "data", "warc", home / "duramen-synth", "-o", home / "made.warc.gz"], check=True)
        whole = (home / "made.warc.gz").read_bytes()
        builder = SparkSession.builder.master("local[*]").appName("duramen").config("spark.ui.enabled", "false")
        spark = builder.config("spark.local.dir", str(home / "spark")).getOrCreate()
        spark.sparkContext.setLogLevel("ERROR")
        spark.dataSource.register(duramen.spark.WarcDataSource)
        watch = Watch()
        record = {
            "command": "target/python/bin/python python/benchmarks/spark_load.py",
            "versions": {"duramen": duramen.__version__, "pyspark": pyspark.__version__, "python": platform.python_version()},
            "cores": os.cpu_count(),
            "whole": run(spark, whole, 0, options.pages, home, watch),
            "damaged": run(spark, *damaged(members(whole)), options.pages, home, watch),
        }
        spark.stop()
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "measured.json").write_text(json.dumps(record, indent=2) + "\n")
    (options.output / "README.md").write_text(report(record))
    print((options.output / "README.md").read_text())


def report(record: dict) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in record["versions"].items())
    lines = [
        "# A million pages through Spark",
        "",
        f"Command: `{record['command']}`. One machine, {record['cores']} cores, `local[*]`; versions: {versions}. Each tenth is a job of one",
        "session: web archives in, Parquet out. Memory is that of the driver, Java and Python's workers together.",
    ]
    for name, title in (("whole", "Whole archives"), ("damaged", "One record of a hundred damaged")):
        found = record[name]
        rows = "; ".join(f"{what}: {n:,}" for what, n in sorted(found["rows"].items()))
        lines += [
            "",
            f"## {title}",
            "",
            f"{found['pages']:,} pages, {found['damaged']:,} of their records damaged. Rows: {rows}.",
            "",
            "| tenth | pages a second | pages a second of a processor | memory in MB |",
            "|---|---:|---:|---:|",
        ]
        for number, job in enumerate(found["course"], 1):
            rate, of_cpu = (job["pages"] / job[unit] for unit in ("seconds", "cpu"))
            lines.append(f"| {number} | {rate:.0f} | {of_cpu:.0f} | {job['memory'] / 1e6:.0f} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    main()
