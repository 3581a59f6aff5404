"""Pages of web archives, whole and in ranges."""

from __future__ import annotations

import gzip
import json

import pytest

import duramen
from duramen.warc import WarcReader


@pytest.fixture(scope="module")
def archive(run, tmp_path_factory):
    folder = tmp_path_factory.mktemp("archive")
    path = folder / "made.warc.gz"
    run("data", "warc", "synth", "-o", path)
    return path


def test_pages_are_those_of_the_program(archive, run):
    rows = [json.loads(line) for line in run("extract", "--output-format", "jsonl", archive).splitlines()]
    pages = list(WarcReader(archive))
    assert [page.record_id for page in pages] == [row["id"] for row in rows]
    for page, row in zip(pages, rows, strict=True):
        document = duramen.bare_extraction(page.html, page.url, record_id=page.record_id, charset=page.charset)
        assert (document.text, document.url, page.date) == (row["text"], row["url"], row["crawled"])


@pytest.mark.parametrize("n", [2, 7, 100])
def test_ranges_share_an_archive_without_a_loss(archive, tmp_path, n):
    everything = list(WarcReader(archive))

    def shared(path):
        size = path.stat().st_size
        bounds = [size * i // n for i in range(n + 1)]
        return [page for start, end in zip(bounds, bounds[1:], strict=False) for page in WarcReader(path, start, end)]

    assert shared(archive) == everything
    plain = tmp_path / "made.warc"
    plain.write_bytes(gzip.decompress(archive.read_bytes()))
    assert shared(plain) == everything
    one_member = tmp_path / "one.warc.gz"
    one_member.write_bytes(gzip.compress(plain.read_bytes()))
    assert shared(one_member) == everything


def test_damage_is_named_and_reading_goes_on(archive, tmp_path):
    data = bytearray(archive.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 40] = bytes(40)
    broken = tmp_path / "broken.warc.gz"
    broken.write_bytes(data)
    reader = WarcReader(broken)
    pages = list(reader)
    assert len(list(WarcReader(archive))) - 3 < len(pages) and reader.damage
    with pytest.raises(duramen.FileError, match="nothing.warc"):
        WarcReader(tmp_path / "nothing.warc")
