"""What works with nothing installed but the wheel. Run by scripts/python.sh in an environment of its own, and no test of pytest's."""

import copy
import logging
import pickle
from concurrent.futures import ProcessPoolExecutor

import duramen
from duramen import _duramen

PAGE = b"""<html lang=en><title>Oak</title><meta name=keywords content="oak, storm"><nav><a href=/>Home</a></nav><h1>Oak</h1>
<p>The oldest oak of the village fell on Monday night, after a storm that lasted for six hours.</p>"""


def raises(kind, text, call):
    try:
        call()
    except kind as error:
        assert text in str(error), error
    else:
        raise AssertionError(f"{kind.__name__} was not raised")


def main():
    for package in ("numpy", "pyarrow"):
        raises(ModuleNotFoundError, package, lambda package=package: __import__(package))
    assert "oldest oak" in duramen.extract(PAGE)
    logging.lastResort = None
    assert duramen.extract(PAGE, target_language="de") is None

    document = duramen.bare_extraction(PAGE)
    blocks = list(document.blocks)
    assert [block.text for block in blocks if block.kept][0] == "Oak" and repr(document.blocks) == "<3 blocks, 2 kept>", blocks
    assert all(abs(sum(block.probabilities.values()) - 1) < 1e-9 for block in blocks)
    for column in ("labels", "kept", "probabilities"):
        raises(duramen.MissingPackageError, "pip install numpy", lambda column=column: getattr(document.blocks, column))
    raises(ImportError, "pip install numpy", lambda: duramen.outlier.HBOS().fit([[1.0]]))
    raises(duramen.MissingPackageError, "pip install tqdm", lambda: duramen.Model.train([PAGE], ["oak"], progress=True))
    raises(duramen.DuramenError, "pip install pyarrow", lambda: duramen.extract_batch([PAGE]))

    for other in (pickle.loads(pickle.dumps(document)), copy.deepcopy(document)):
        assert other.as_dict() == document.as_dict() and list(other.blocks) == blocks
    with ProcessPoolExecutor(1) as pool:
        [found] = pool.map(duramen.bare_extraction, [PAGE])
    assert found.text == document.text and found.tags == ["oak", "storm"]

    # The crate numpy panics where there is no numpy: no panic may pass as pyo3's own exception, which is no Exception.
    raises(duramen.InternalError, "numpy", lambda: _duramen.FittedHbos([[1.0]], "static", 1, 0.1, 0.5))


if __name__ == "__main__":
    main()
