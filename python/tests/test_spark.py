"""Spark, in one process and as a cluster of two workers of which one is killed: the same texts and counts as without
it."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import ROOT

import duramen
from duramen import Corpus, Model
from duramen.warc import WarcReader

pa = pytest.importorskip("pyarrow")
pyspark = pytest.importorskip("pyspark")

from pyspark.errors import PythonException  # noqa: E402
from pyspark.sql import DataFrame, SparkSession  # noqa: E402
from pyspark.sql.functions import col  # noqa: E402

import duramen.spark  # noqa: E402

sys.path.insert(0, str(ROOT / "examples" / "spark"))
from loopback import Cluster, started_by  # noqa: E402

#: Where the package is found: workers are started without the path of this process.
PACKAGE = str(Path(duramen.__file__).parents[1])


@pytest.fixture(scope="module", autouse=True)
def environment() -> Iterator[None]:
    """Java, and the Python of workers."""
    java = Path(os.environ["JAVA_HOME"]) / "bin" / "java" if "JAVA_HOME" in os.environ else shutil.which("java")
    if java is None or not Path(java).exists():
        if os.environ.get("CI") == "true":
            pytest.fail("there is no Java; Spark needs Java 17 or 21")
        pytest.skip("there is no Java; Spark needs Java 17 or 21")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("PYSPARK_DRIVER_PYTHON", sys.executable)
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [PACKAGE, os.environ.get("PYTHONPATH")])))
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        # Java that starts sooner, for work that is short.
        patch.setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        yield


def session(master: str, scratch: Path, **settings: object) -> SparkSession:
    builder = SparkSession.builder.master(master).appName("duramen").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    builder = builder.config("spark.local.dir", str(scratch / "local")).config("spark.sql.shuffle.partitions", "4")
    builder = builder.config("spark.sql.warehouse.dir", str(scratch / "warehouse"))
    for name, value in settings.items():
        builder = builder.config(name.replace("_", "."), str(value))
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


@pytest.fixture(scope="module")
def archive(run, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("archive") / "made.warc.gz"
    run("data", "warc", "synth", "-o", path)
    return path


@pytest.fixture(scope="module")
def rows(made) -> list[tuple[int, str | None, bytes, str]]:
    """Synthetic pages: key, address, page, and its text."""
    return [(i, made.urls[i], made.html(i), made.texts(i)["article"]) for i in range(len(made))]


@pytest.fixture(scope="module")
def counts(rows) -> duramen.Counts:
    """What the pages teach, without Spark."""
    counts = Model.count([row[2] for row in rows], [row[3] for row in rows], urls=[row[1] for row in rows])
    assert counts.n_pages > len(rows) // 2
    return counts


SCHEMA = "key long, url string, html binary, text string"


class TestInOneProcess:
    @pytest.fixture(scope="class")
    @classmethod
    def spark(cls, tmp_path_factory) -> Iterator[SparkSession]:
        spark = session("local[2]", tmp_path_factory.mktemp("spark"))
        spark.dataSource.register(duramen.spark.WarcDataSource)
        yield spark
        spark.stop()

    @pytest.fixture(scope="class")
    @classmethod
    def pages(cls, spark, rows) -> DataFrame:
        return spark.createDataFrame(rows, SCHEMA)

    def test_pages_are_extracted_as_one_by_one(self, spark, pages, rows):
        failed = spark.createDataFrame([(97, None, b"", ""), (98, None, None, "")], SCHEMA)
        found = duramen.spark.extract(pages.union(failed), keep=["key"]).orderBy("key")
        answer = ["text", "title", "date", "language", "page_type", "page_fault", "confidence", "status", "problem"]
        assert found.columns == ["key", *answer]
        assert dict(found.dtypes) == {"key": "bigint", **dict.fromkeys(answer, "string"), "confidence": "double"}
        found = found.collect()
        assert [row.text for row in found[:-2]] == [duramen.extract(row[2], row[1]) for row in rows]
        for row, (_, url, html, _) in zip(found, rows, strict=False):
            document = duramen.bare_extraction(html, url)
            types = (document.most_probable_type, document.most_probable_fault)
            fields = (document.title, document.date, document.language, *types, document.confidence, document.status)
            assert tuple(row)[2:9] == fields
        assert [(row.key, row.text, row.status) for row in found[-2:]] == [(97, None, "empty"), (98, None, "empty")]
        assert found[-1].problem == "the page holds no text"

    def test_all_columns_but_pages_and_charsets_are_kept(self, spark):
        page = "<title>Öl</title><p>Das Öl der alten Mühle ist am Montag aus dem Tank gelaufen.".encode("cp1252")
        schema = "page binary, cs string, tags array<string>, `a.b` string"
        df = spark.createDataFrame([(page, "cp1252", ["a"], "x")], schema)
        [row] = duramen.spark.extract(df, "page", charset="cs").collect()
        assert row.asDict()["tags"] == ["a"] and row["a.b"] == "x" and row.title == "Öl"
        assert set(row.asDict()) & {"page", "cs"} == set()

    def test_large_strings_are_read_too(self, spark, pages, rows):
        spark.conf.set("spark.sql.execution.arrow.useLargeVarTypes", "true")
        try:
            found = duramen.spark.extract(pages, keep=["key"]).orderBy("key").collect()
            assert found[0].text == duramen.extract(rows[0][2], rows[0][1])
            assert duramen.spark.count(pages).n_pages > 0
        finally:
            spark.conf.set("spark.sql.execution.arrow.useLargeVarTypes", "false")

    def test_a_model_may_be_a_name_a_file_or_a_model(self, made, pages, tmp_path, rows):
        model = Model.train(made)
        model.save(tmp_path / "mine.json")
        expected = [model.extract(row[2], row[1]).text for row in rows]
        assert expected != [duramen.extract(row[2], row[1]) for row in rows]
        of_file = duramen.spark.extract(pages, keep=["key"], model=str(tmp_path / "mine.json"))
        # Workers do not read the file.
        (tmp_path / "mine.json").unlink()
        for found in (of_file, duramen.spark.extract(pages, keep="key", model=model)):
            assert [row.text or "" for row in found.orderBy("key").collect()] == expected
        blocks = duramen.spark.extract(pages, keep=["key"], model="web-blocks").orderBy("key").collect()
        assert blocks[0].confidence == duramen.bare_extraction(rows[0][2], rows[0][1], model="web-blocks").confidence

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (lambda df: duramen.spark.extract(df), "column 'text' cannot be kept"),
            (lambda df: duramen.spark.extract(df.withColumnRenamed("text", "Title")), "column 'Title' cannot be kept"),
            (lambda df: duramen.spark.extract(df, "page"), "no column 'page'; the DataFrame has key, url, html, text"),
            (lambda df: duramen.spark.extract(df, "key"), "column 'key' holds bigint"),
            (lambda df: duramen.spark.extract(df, url="address"), "no column 'address'"),
            (lambda df: duramen.spark.extract(df, keep=["kee"]), "no column 'kee'"),
            (lambda df: duramen.spark.extract(df.select("html", "key", "key"), keep=["key"]), "are 2 columns 'key'"),
            (lambda df: duramen.spark.extract(df, keep=[], labels="fulltext"), "did you mean 'full-text'"),
            (lambda df: duramen.spark.extract(df, keep=[], min_confidence=7), "7"),
            (lambda df: duramen.spark.extract(df, keep=[], model="webb"), "'webb'"),
            (lambda df: duramen.spark.extract(df, keep=[], favor_recall=True, favor_precision=True), "contradict"),
            (lambda df: duramen.spark.count(df, labels="known"), "no column 'known'"),
            (lambda df: duramen.spark.count(df, labels="key"), "column 'key' holds bigint; what is known"),
            (lambda df: duramen.spark.count(df, depth=0), "depth is 0"),
            (lambda df: duramen.spark.count(df, config="boosted"), "cannot be counted by parts"),
            (lambda df: duramen.spark.train(df, config="block"), "block"),
            (lambda df: duramen.spark.train(df, weights=True, skip_failed=True), "skip_failed has no effect"),
        ],
    )
    def test_what_is_wrong_with_a_call_is_said_before_a_job(self, spark, pages, call, message):
        jobs = spark.sparkContext.statusTracker().getJobIdsForGroup()
        with pytest.raises(duramen.UsageError, match=re.escape(message)):
            call(pages)
        assert spark.sparkContext.statusTracker().getJobIdsForGroup() == jobs

    @pytest.mark.parametrize("n", [1, 3, 17])
    def test_counts_do_not_depend_on_partitions(self, pages, counts, n):
        parts = pages.repartition(n)
        found = duramen.spark.count(parts)
        assert found.sha256 == counts.sha256 and found.to_bytes() == counts.to_bytes()
        assert duramen.spark.train(parts).sha256 == Model.from_counts(counts).sha256

    @pytest.mark.parametrize("depth", [1, 2, 3])
    def test_counts_do_not_depend_on_the_tree(self, pages, counts, depth, monkeypatch):
        # 17 partitions, of which 4 are added up at a time: 17, 5 or 2 counts come to the driver.
        monkeypatch.setattr(duramen.spark, "_ADDED_AT_ONCE", 4)
        monkeypatch.setattr(duramen.spark, "_COUNTED_AT_ONCE", 2)
        assert duramen.spark.count(pages.repartition(17), depth=depth).to_bytes() == counts.to_bytes()

    def test_what_is_known_of_a_page_may_be_of_any_kind(self, spark, article):
        by_xpath = {"//h1": "headline", "//article//p": "full-text"}
        by_block = [block.label for block in duramen.bare_extraction(article).blocks]
        numbers = [duramen.LABELS.index(label) for label in by_block]
        kinds = [("map<string,string>", by_xpath), ("array<string>", by_block), ("array<int>", numbers)]
        for kind, known in kinds:
            df = spark.createDataFrame([(article, known)], f"page string, known {kind}")
            assert duramen.spark.count(df, "page", "known") == Model.count([article], [known]), kind
        empty = spark.createDataFrame([], "html string, text string")
        assert duramen.spark.count(empty).n_pages == 0
        df = spark.createDataFrame([(article, by_block[:-1])], "html string, known array<string>")
        with pytest.raises(PythonException, match=rf"it has {len(by_block)} blocks and {len(by_block) - 1} labels"):
            duramen.spark.count(df, labels="known")

    def test_a_page_that_cannot_be_used_ends_the_job_or_is_left_out(self, spark, pages, counts):
        broken = [(50, "https://made.example/empty", b"", "Oak"), (51, None, None, "Oak")]
        for row, name in zip(broken, ["https://made.example/empty", "partition 0, row 0"], strict=True):
            with pytest.raises(PythonException, match=f"PageError: {name}: the page holds no text"):
                duramen.spark.count(spark.createDataFrame([row], SCHEMA).coalesce(1))
        more = pages.union(spark.createDataFrame(broken, SCHEMA)).coalesce(1)
        assert duramen.spark.count(more, skip_failed=True) == counts

    def test_what_needs_all_pages_is_learned_on_the_driver(self, spark, made, rows):
        blocks = [[block.label for block in duramen.bare_extraction(row[2], row[1]).blocks] for row in rows]
        known = [(url, html, labels) for (_, url, html, _), labels in zip(rows, blocks, strict=True)]
        df = spark.createDataFrame(known, "url string, html binary, known array<string>")
        models = [duramen.spark.train(df.repartition(n), labels="known", weights=True, threads=2) for n in (1, 3)]
        assert models[0].has_weights and models[0].to_bytes() == models[1].to_bytes()
        known.sort(key=lambda row: row[0])
        urls, pages, labels = map(list, zip(*known, strict=True))
        assert models[0] == Model.train(pages, labels, urls=urls, weights=True)

    @pytest.mark.parametrize("split", ["64m", "256k", "41000"])
    def test_an_archive_is_read_as_a_whole(self, spark, archive, split):
        df = spark.read.format("warc").option("splitBytes", split).load(str(archive))
        expected = {"64m": 1, "256k": 3, "41000": 18}
        assert df.rdd.getNumPartitions() == expected[split]
        whole = [tuple(vars(page).values()) for page in WarcReader(archive)]
        assert len(whole) == 200 and [(*row[:4], bytes(row.html), row[5]) for row in df.collect()] == whole

    def test_archives_are_named_by_file_folder_glob_and_list(self, spark, archive, tmp_path):
        for name in ("a.warc.gz", "b.warc.gz"):
            shutil.copy(archive, tmp_path / name)
        plain = tmp_path / "c.warc"
        plain.write_bytes(gzip.decompress(archive.read_bytes()))
        one = tmp_path / "one member.warc.gz"
        one.write_bytes(gzip.compress(plain.read_bytes()))
        (tmp_path / "readme.txt").write_text("no archive")
        read = spark.read.format("warc").option("splitBytes", "300k")
        for paths, n in [
            (str(tmp_path), 800),
            (f"{tmp_path}/[ab].warc.gz", 400),
            ([str(tmp_path / "a.warc.gz"), str(plain)], 400),
            (str(plain), 200),
            (one.as_uri(), 200),
        ]:
            df = read.load(paths)
            assert df.count() == n and df.select("record_id").distinct().count() == 200, paths

    def test_damage_is_a_row_wherever_the_archive_is_split(self, spark, archive, tmp_path):
        data = bytearray(archive.read_bytes())
        data[len(data) // 2 : len(data) // 2 + 40] = bytes(40)
        broken = tmp_path / "broken.warc.gz"
        broken.write_bytes(data)
        reader = WarcReader(broken)
        ids = [page.record_id for page in reader]
        told = [f"{broken}: damaged at byte {byte}: {problem}" for byte, problem in reader.damage]
        assert len(told) > 0 and len(ids) > 190
        for split in ("64m", "20k"):
            read = spark.read.format("warc").option("splitBytes", split)
            found = read.load(str(broken)).collect()
            assert [row.record_id for row in found if row.record_id is not None] == ids
            assert [row.record_problem for row in found if row.record_id is None] == told
            assert read.option("damageRows", "false").load(str(broken)).count() == len(ids)

    def test_what_is_wrong_with_a_source_is_said(self, spark, archive, tmp_path):
        for options, path, message in [
            ({}, str(tmp_path / "no.warc"), "no such archive"),
            ({}, str(tmp_path), "there is no .warc"),
            ({}, "s3a://bucket/crawl.warc.gz", "mount the store"),
            ({"splitBytes": "many"}, str(archive), "splitBytes is 'many'"),
            ({"split": "7"}, str(archive), "no option split of warc"),
            ({"damageRows": "maybe"}, str(archive), "damageRows is 'maybe'"),
        ]:
            with pytest.raises(Exception, match=re.escape(message)):
                spark.read.format("warc").options(**options).load(path).collect()

    def test_an_archive_is_extracted_as_by_the_program(self, spark, archive, run):
        pages = spark.read.format("warc").option("splitBytes", "100k").load(str(archive))
        found = duramen.spark.extract(pages, charset="charset").collect()
        expected = [json.loads(line) for line in run("extract", "--output-format", "jsonl", archive).splitlines()]
        assert len(found) == len(expected) == 200
        names = ["url", "crawled", "text", "title", "date", "language", "confidence", "status"]
        for row, record in zip(found, expected, strict=True):
            assert row.record_id == record["id"]
            assert [row[name] for name in names] == [record.get(name) for name in names]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found by /proc, as Linux has it")
def test_a_killed_worker_changes_nothing(tmp_path):
    corpus = Corpus.synthetic(sites=17, pages_per_site=3, seed=5)
    rows = [(i, corpus.urls[i], corpus.html(i), corpus.texts(i)["article"]) for i in range(len(corpus))]
    table = pa.table(
        {
            "key": [row[0] for row in rows],
            "url": [row[1] for row in rows],
            "html": pa.array([row[2] for row in rows], pa.binary()),
        }
    )
    extracted = as_bytes(pa.table(duramen.extract_batch(table, keep=["key", "url"])))
    counts = Model.count([row[2] for row in rows], [row[3] for row in rows], urls=[row[1] for row in rows])

    cluster, spark = Cluster(tmp_path), None
    try:
        workers = [cluster.add_worker(), cluster.add_worker()]
        spark = session(cluster.url, tmp_path, spark_executor_memory="512m", spark_executor_cores=1)
        df = spark.createDataFrame(rows, SCHEMA)

        def extract(pages: DataFrame) -> bytes:
            return as_bytes(duramen.spark.extract(pages.drop("text")).toArrow())

        def count(pages: DataFrame) -> bytes:
            return duramen.spark.count(pages).to_bytes()

        for job, expected in [(extract, extracted), (count, counts.to_bytes())]:
            attempts = tmp_path / f"attempts-{job.__name__}"
            attempts.mkdir()
            pages = df.repartition(17, col("key")).mapInArrow(slowly(attempts), SCHEMA)
            executors = wait_until(lambda: busy(spark), lambda found: len(found) == 2)
            with ThreadPoolExecutor(1) as thread:
                running = thread.submit(job, pages)
                # Each worker has tasks behind it and is at another, which ends after the worker was killed.
                wait_until(lambda: executors_of(attempts), lambda found: found == (executors, executors), running)
                cluster.kill(workers.pop())
                (attempts / "killed").touch()
                found = running.result(timeout=120)
            assert found == expected
            (attempts / "killed").unlink()
            partitions = [name.split("-")[0] for name in os.listdir(attempts)]
            assert len(set(partitions)) < len(partitions), "nothing was done again"
            workers.append(cluster.add_worker())
    finally:
        if spark is not None:
            spark.stop()
        cluster.close()
    assert [pid for process in cluster.processes for pid in started_by(process)] == []


def busy(spark: SparkSession) -> set[str]:
    """The executors that work, by the process that makes their Pythons."""

    def name(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import os
        import time

        time.sleep(0.2)
        for _ in batches:
            yield pa.record_batch({"executor": [str(os.getppid())]})

    return {row.executor for row in spark.range(4, numPartitions=4).mapInArrow(name, "executor string").collect()}


def slowly(attempts: Path) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Passes pages on, and leaves a file for each attempt at a partition: begun, and done. Once both executors have
    tasks behind them, those that follow wait until a worker was killed."""
    folder = str(attempts)

    def pass_on(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import os
        import time

        from pyspark import TaskContext

        task = TaskContext.get()
        name = f"{folder}/{task.partitionId()}-{task.taskAttemptId()}-{os.getppid()}"
        waits = len({done.split("-")[2] for done in os.listdir(folder) if done.endswith("-done")}) == 2
        open(name, "x").close()
        deadline = time.monotonic() + (120 if waits else 0.2)
        while time.monotonic() < deadline and not os.path.exists(f"{folder}/killed"):
            time.sleep(0.02)
        yield from batches
        os.rename(name, f"{name}-done")

    return pass_on


def executors_of(attempts: Path) -> tuple[set[str], set[str]]:
    """The executors that have tasks behind them, and those that are at one."""
    names = [name.split("-") for name in os.listdir(attempts)]
    return {name[2] for name in names if len(name) == 4}, {name[2] for name in names if len(name) == 3}


def wait_until(look, is_reached, running=None):
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        seen = look()
        if is_reached(seen):
            return seen
        if running is not None and running.done():
            raise AssertionError(f"the job ended before: {seen}, {running.result()[:100]!r}")
        time.sleep(0.05)
    raise AssertionError(f"not reached in two minutes: {seen}")


def as_bytes(table: pa.Table) -> bytes:
    """A table in the order of its keys, as bytes."""
    table = pa.table({name: table[name] for name in table.schema.names}).sort_by("key").combine_chunks()
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()
