"""Measures what Spark costs beside the plain program, and what a second worker brings: the table of README.md.

    python examples/spark/measure.py --program target/release/duramen

Makes an archive of pages of our own, and extracts it into Parquet by the program, by one Python process, by Spark with
one core in one process, and by a standalone cluster on this machine with one worker and with two, of one core each.
Wall clock means something alone on a machine that has nothing else to do; CPU seconds are of all processes that belong
to a run, without their start.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
from clean_crawl import clean
from loopback import Cluster, cpu_seconds
from pyspark.sql import SparkSession

import duramen
from duramen.warc import WarcReader


@dataclass
class Run:
    """What one way to extract the archive took."""

    name: str
    wall: float
    cpu: float
    cores: int
    workers: list[float]
    """CPU seconds of each worker of a cluster."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="duramen", help="the program (default: duramen in PATH)")
    parser.add_argument("--pages", type=int, default=20000, help="pages of the archive, in sites of 5 (default: 20000)")
    parser.add_argument("--archive", type=Path, help="an archive to measure with, in place of synthetic pages")
    parser.add_argument("--tasks", type=int, default=24, help="tasks of a job, about (default: 24)")
    options = parser.parse_args()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    # The example's own folder is no module of workers; the package is.
    package = str(Path(duramen.__file__).parents[1])
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        small = make(options.program, 200, scratch)
        archive = options.archive or make(options.program, options.pages, scratch)
        runs = list(measure(options.program, small, archive, options.tasks, scratch))
        pages = {table_of(scratch / run.name).num_rows for run in runs}
        assert len(pages) == 1, f"the runs give different numbers of pages: {pages}"
        texts = {digest(scratch / run.name) for run in runs}
        assert len(texts) == 1, "the runs give different texts"
    tell(runs, pages.pop(), archive)


def measure(program: str, small: Path, archive: Path, tasks: int, scratch: Path) -> Iterator[Run]:
    split = str(max(1, archive.stat().st_size // tasks))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    command = [program, "extract", "--quiet", "--output-format", "parquet", "--threads", "1", str(archive)]
    subprocess.run([*command, "-o", str(scratch / "program")], check=True)
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    yield shown(Run("program", wall, cpu, 1, []))

    yield timed("Python", 1, [], lambda: by_python(archive, scratch / "Python"))

    spark = session("local[1]", scratch)
    try:
        clean(spark, [str(small)], str(scratch / "warm-local"), "64m", "web")
        name = "Spark in one process"
        yield timed(name, 1, [], lambda: clean(spark, [str(archive)], str(scratch / name), split, "web"))
    finally:
        spark.stop()

    for n in (1, 2):
        cluster, spark = Cluster(scratch, memory="2g"), None
        try:
            workers = [cluster.add_worker().pid for _ in range(n)]
            spark = session(cluster.url, scratch)
            # Tasks enough for every worker to have a Python that is warm.
            clean(spark, [str(small)], str(scratch / f"warm-{n}"), str(small.stat().st_size // (4 * n)), "web")
            name = f"Spark, workers {n}"
            output = str(scratch / name)
            yield timed(name, n, workers, lambda: clean(spark, [str(archive)], output, split, "web"))
        finally:
            if spark is not None:
                spark.stop()
            cluster.close()
            for path in scratch.glob("*worker-*"):
                shutil.rmtree(path, ignore_errors=True)


def make(program: str, pages: int, scratch: Path) -> Path:
    """An archive of synthetic pages."""
    folder, archive = scratch / f"pages-{pages}", scratch / f"{pages}.warc.gz"
    sites = ["--sites", str(max(1, pages // 5)), "--pages-per-site", "5"]
    command = [program, "data", "synth", "--quiet", *sites, "-d", str(folder)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    subprocess.run([program, "data", "warc", "--quiet", str(folder / "duramen-synth"), "-o", str(archive)], check=True)
    shutil.rmtree(folder)
    return archive


def session(master: str, scratch: Path) -> SparkSession:
    builder = SparkSession.builder.master(master).appName("measure").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    builder = builder.config("spark.executor.memory", "1g").config("spark.executor.cores", "1")
    # All workers are there before a job starts.
    builder = builder.config("spark.scheduler.minRegisteredResourcesRatio", "1.0")
    spark = builder.config("spark.local.dir", str(scratch / "local")).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def by_python(archive: Path, output: Path) -> None:
    """What a task does, without Spark."""
    schema = pa.schema({**dict.fromkeys(["record_id", "url", "charset"], pa.string()), "html": pa.binary()})

    def batches() -> Iterator[pa.RecordBatch]:
        rows: list[dict[str, object]] = []
        for page in WarcReader(archive):
            row = {"record_id": page.record_id, "url": page.url, "charset": page.charset, "html": page.html}
            rows.append(row)
            if len(rows) == 500:
                yield pa.RecordBatch.from_pylist(rows, schema)
                rows.clear()
        yield pa.RecordBatch.from_pylist(rows, schema)

    found = duramen.extract_batch(batches(), charset="charset", keep=["record_id", "url"], threads=1)
    pa.parquet.write_table(pa.Table.from_batches(found), output)


def timed(name: str, cores: int, workers: list[int], work: Callable[[], object]) -> Run:
    roots = [os.getpid(), *workers]
    before = [cpu_seconds(pid) for pid in roots]
    most = [dict(processes) for processes in before]
    is_done = threading.Event()

    def look() -> None:
        # Again and again, since processes end meanwhile and are gone.
        while not is_done.wait(0.25):
            for of, pid in zip(most, roots, strict=True):
                of.update(cpu_seconds(pid))

    watch = threading.Thread(target=look)
    started = time.perf_counter()
    watch.start()
    try:
        work()
        wall = time.perf_counter() - started
    finally:
        is_done.set()
        watch.join()
    for of, pid in zip(most, roots, strict=True):
        of.update(cpu_seconds(pid))
    cpu, *of_workers = [sum(after.values()) - sum(of.values()) for after, of in zip(most, before, strict=True)]
    return shown(Run(name, wall, cpu, cores, of_workers))


def shown(run: Run) -> Run:
    print(f"{run.name}: {run.wall:.1f} s, {run.cpu:.1f} s of CPU", file=sys.stderr)
    return run


def table_of(path: Path) -> pa.Table:
    return pa.parquet.read_table(path, columns=["text", "status"])


def digest(path: Path) -> int:
    """The same for the same texts, in whatever order."""
    # A page without a text has an empty one in the program's tables.
    return hash(frozenset(text or "" for text in table_of(path)["text"].to_pylist()))


def tell(runs: list[Run], pages: int, archive: Path) -> None:
    by_name = {run.name: run for run in runs}
    program, one, two = by_name["program"], by_name["Spark, workers 1"], by_name["Spark, workers 2"]
    load = os.getloadavg()[0]
    print(f"{pages} pages, {os.cpu_count()} cores, load {load:.1f} at the end, Python {sys.version.split()[0]}\n")
    print("| | wall clock (s) | CPU (s) | pages a second a core | pages a CPU second | CPU beside the program |")
    print("|---|---:|---:|---:|---:|---:|")
    for run in runs:
        per_core, per_cpu, ratio = pages / run.wall / run.cores, pages / run.cpu, run.cpu / program.cpu
        print(f"| {run.name} | {run.wall:.1f} | {run.cpu:.1f} | {per_core:.0f} | {per_cpu:.0f} | {ratio:.2f} |")
    by_wall, by_cpu = one.wall / two.wall, one.workers[0] / max(two.workers)
    print(f"\nFrom one worker to two: {by_wall:.2f} times as fast by wall clock, {by_wall / 2:.0%} of linear;")
    print(f"by CPU seconds of the busier worker {by_cpu:.2f} times, {by_cpu / 2:.0%} of linear.")
    print(json.dumps([vars(run) for run in runs]), file=sys.stderr)


if __name__ == "__main__":
    main()
