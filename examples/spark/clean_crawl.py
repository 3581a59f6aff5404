"""Web archives in, Parquet of clean text out, and how much text there is for which trust.

    duramen data warc synth -o crawl.warc.gz
    python examples/spark/clean_crawl.py crawl.warc.gz -o texts

On a cluster: `spark-submit --master spark://HOST:7077 examples/spark/clean_crawl.py /shared/crawl/*.warc.gz -o
/shared/texts`.
"""

from __future__ import annotations

import argparse
import os
import sys

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import avg, col, count, lit, sum, when

import duramen.spark

CONFIDENCES = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)


def clean(spark: SparkSession, archives: list[str], output: str, split: str, model: str) -> DataFrame:
    """Extracts archives into a Parquet table, and gives it back."""
    spark.dataSource.register(duramen.spark.WarcDataSource)
    pages = spark.read.format("warc").option("splitBytes", split).load(archives)
    # Pages without a text are kept with their status: what is dropped is chosen later, without extracting again.
    # zstd makes texts smaller than Spark's default, snappy, which some versions cannot load where musl is installed beside glibc.
    duramen.spark.extract(pages, charset="charset", model=model).write.parquet(output, compression="zstd")
    return spark.read.parquet(output)


def coverage(texts: DataFrame) -> list[tuple[float, int, float | None]]:
    """For each confidence: the pages that have at least that, and the F1 that the model expects of them."""
    is_kept = [(col("status") == "ok") & (col("confidence") >= least) for least in CONFIDENCES]
    columns = [f(when(kept, value)) for kept in is_kept for f, value in ((count, lit(1)), (avg, col("confidence")))]
    found = texts.select(columns).first()
    return [(least, found[2 * i], found[2 * i + 1]) for i, least in enumerate(CONFIDENCES)]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archives", nargs="+", help="web archives, folders of them, or globs")
    parser.add_argument("-o", "--output", required=True, help="folder for the Parquet files; it must not be there yet")
    parser.add_argument("--model", default="web", help="a model by its name, or a file of this machine (default: web)")
    parser.add_argument("--split-bytes", default="16m", help="bytes of an archive for one task (default: 16m)")
    parser.add_argument("--master", help="where Spark runs (default: as spark-submit says, else on this machine)")
    options = parser.parse_args(arguments)
    if "PYSPARK_GATEWAY_PORT" not in os.environ:
        # Not started by spark-submit: workers are of this machine, and have its Python.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("clean crawl")
    spark = (builder if options.master is None else builder.master(options.master)).getOrCreate()
    try:
        texts = clean(spark, options.archives, options.output, options.split_bytes, options.model)
        damaged = texts.select(sum(when(col("record_id").isNull(), 1).otherwise(0))).first()[0] or 0
        pages = texts.count() - damaged
        statuses = texts.where("record_id is not null").groupBy("status").count().orderBy("status").collect()
        by_status = ", ".join(f"{row.status}: {row['count']}" for row in statuses)
        print(f"{pages} pages, {damaged} damaged places; {by_status}")
        print("confidence at least | pages kept |  share | expected F1")
        for least, kept, expected in coverage(texts):
            f1 = "" if expected is None else f"{expected:11.3f}"
            print(f"{least:19.2f} | {kept:10} | {kept / max(pages, 1):6.1%} | {f1}".rstrip())
    finally:
        spark.stop()


if __name__ == "__main__":
    main()
