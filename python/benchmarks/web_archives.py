#!/usr/bin/env python3
"""What it costs to turn a web archive into a Parquet table, beside trafilatura and resiliparse.

    scripts/python.sh -k warc
    cargo build --release
    target/python/bin/python python/benchmarks/web_archives.py

Makes an archive of synthetic pages (some 200 MB unpacked), lets each job turn it into Parquet with one thread, each in a process of
its own, interleaved, and writes the CPU seconds to results/web-archives. Needs some 10 minutes on an idle core; CPU seconds are stated and
no seconds of the clock, since those depend on what else runs.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
BATCH = 256


def _write(rows: list[dict[str, object]], path: str) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.Table.from_pylist(rows), path, compression="zstd")


def trafilatura_job(archive: str, table: str) -> None:
    """The pages by warcio, the texts with metadata by trafilatura, the table by pyarrow."""
    import trafilatura
    from warcio.archiveiterator import ArchiveIterator

    rows = []
    with open(archive, "rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type != "response":
                continue
            url = record.rec_headers.get_header("WARC-Target-URI")
            document = trafilatura.bare_extraction(
                record.content_stream().read(), url=url, with_metadata=True, include_comments=False
            )
            row = {name: getattr(document, name, None) for name in ("title", "author", "date", "language", "text")}
            rows.append({"id": record.rec_headers.get_header("WARC-Record-ID"), "url": url, **row})
    _write(rows, table)


def resiliparse_job(archive: str, table: str) -> None:
    """The pages by FastWARC, the main content by resiliparse, the table by pyarrow; no title, date or author."""
    from fastwarc.warc import ArchiveIterator, WarcRecordType
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    rows = []
    with open(archive, "rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.response):
            page = record.reader.read()
            text = extract_plain_text(bytes_to_str(page, detect_encoding(page)), main_content=True)
            rows.append({"id": record.record_id, "url": record.headers.get("WARC-Target-URI"), "text": text})
    _write(rows, table)


def duramen_python_job(archive: str, table: str) -> None:
    """The pages by `duramen.warc`, `duramen.extract_batch` with one thread, the table by pyarrow."""
    import duramen
    import pyarrow as pa
    import pyarrow.parquet as pq

    tables = []
    rows: list[dict[str, object]] = []

    def flush() -> None:
        if rows:
            batch = pa.RecordBatch.from_pylist(rows)
            tables.append(duramen.extract_batch(batch, charset="charset", keep=["id", "url"], threads=1))
            rows.clear()

    for page in duramen.warc.WarcReader(archive):
        rows.append({"id": page.record_id, "url": page.url, "charset": page.charset, "html": page.html})
        if len(rows) == BATCH:
            flush()
    flush()
    pq.write_table(pa.Table.from_batches(tables), table, compression="zstd")


JOBS: dict[str, Callable[[str, str], None]] = {
    "trafilatura": trafilatura_job,
    "resiliparse": resiliparse_job,
    "duramen, Python": duramen_python_job,
}


def cpu_of(command: list[str]) -> float:
    """The CPU seconds, of user and system, of a command and what it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=ROOT / "target/release/duramen", type=Path, help="the program to measure")
    parser.add_argument("--sites", default=4200, type=int, help="sites of five synthetic pages each")
    parser.add_argument("--repeats", default=3, type=int, help="how often each job runs")
    parser.add_argument("--output", default=ROOT / "results/web-archives", type=Path, help="folder of the results")
    options = parser.parse_args()
    program = options.program.resolve()
    if not program.is_file():
        sys.exit(f"{program}: not there; run cargo build --release")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        subprocess.run(
            [program, "-q", "data", "synth", "--sites", str(options.sites), "-d", home], check=True, cwd=home
        )
        archive = home / "made.warc.gz"
        # The corpus has the layout of L3S-GN1, and one part of it: the originals.
        subprocess.run([program, "-q", "data", "warc", home / "duramen-synth", "-o", archive], check=True)
        with gzip.open(archive) as file:
            unpacked = 0
            while chunk := file.read(1 << 20):
                unpacked += len(chunk)
        table = str(home / "table.parquet")
        commands: dict[str, list[str]] = {
            "duramen, program": [
                str(program), "-q", "extract", "--threads", "1", "--output-format", "parquet", "-o", table, str(archive),
            ],
            **{name: [sys.executable, __file__, "--job", name, str(archive), table] for name in JOBS},
        }
        seconds: dict[str, list[float]] = {name: [] for name in commands}
        rows: dict[str, int] = {}
        import pyarrow.parquet as pq

        for repeat in range(options.repeats):
            for name, command in commands.items():
                seconds[name].append(cpu_of(command))
                found = pq.read_table(table, columns=["text"])
                rows[name] = found.num_rows
                print(f"{repeat + 1}/{options.repeats} {name}: {seconds[name][-1]:.1f} s CPU", file=sys.stderr)
        record = {
            "command": "target/python/bin/python python/benchmarks/web_archives.py",
            "archive": {
                "pages": rows["duramen, program"],
                "bytes": archive.stat().st_size,
                "unpacked": unpacked,
                "sha256": sha256(archive),
            },
            "versions": versions(program),
            "seconds": seconds,
            "rows": rows,
        }
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "measured.json").write_text(json.dumps(record, indent=2) + "\n")
    (options.output / "README.md").write_text(report(record))
    print((options.output / "README.md").read_text())


def versions(program: Path) -> dict[str, str]:
    from importlib.metadata import version

    duramen = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.split()[1]
    packages = {name: version(name) for name in ("trafilatura", "warcio", "resiliparse", "fastwarc", "pyarrow")}
    return {"duramen": duramen, **packages, "python": platform.python_version()}


def report(record: dict) -> str:
    archive, seconds = record["archive"], record["seconds"]
    base = statistics.median(seconds["duramen, program"])
    lines = [
        "# Web archives to Parquet",
        "",
        f"{archive['pages']:,} synthetic pages in one archive, {archive['bytes'] / 1e6:.0f} MB, {archive['unpacked'] / 1e6:.0f} MB unpacked",
        f"(sha256 `{archive['sha256'][:16]}...`), to one Parquet table with one thread: seconds of CPU, median of "
        f"{len(seconds['trafilatura'])} runs, interleaved.",
        f"Command: `{record['command']}`; what each job does stands there. Versions: "
        + ", ".join(f"{name} {version}" for name, version in record["versions"].items())
        + ".",
        "",
        "| job | CPU s | ms a page | times duramen's program | rows |",
        "|---|---:|---:|---:|---:|",
    ]
    for name, runs in sorted(seconds.items(), key=lambda item: statistics.median(item[1])):
        median = statistics.median(runs)
        lines.append(
            f"| {name} | {median:.1f} | {1000 * median / archive['pages']:.2f} | {median / base:.2f} | {record['rows'][name]:,} |"
        )
    lines += [
        "",
        "trafilatura and duramen find title, author, date and language besides; resiliparse's job has the text alone.",
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    if len(sys.argv) == 5 and sys.argv[1] == "--job":
        JOBS[sys.argv[2]](sys.argv[3], sys.argv[4])
    else:
        main()
