"""Opens a zarr store and a JSON file of draws with ArviZ and says as JSON what it finds: arviz_read.py STORE JSON."""

import json
import sys
import warnings

warnings.simplefilter("ignore")  # ArviZ announces its next version whenever it is imported.
import arviz
import numpy
import xarray

arviz.rcParams["data.save_warmup"] = True


def summary(data):
    """R-hat and effective sample sizes by name, in full precision."""
    table = arviz.summary(data, kind="diagnostics", round_to="none")
    return {name: dict(row) for name, row in table.iterrows()}


def said(values):
    """Numbers as text, which NaN and infinities have too."""
    return [repr(float(x)) for x in numpy.asarray(values).astype(float).ravel()]


with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    tree = xarray.open_datatree(sys.argv[1], engine="zarr")
    of_store = arviz.InferenceData.from_datatree(tree.load())
    one_group = xarray.open_zarr(sys.argv[1], group="posterior")
    of_json = arviz.from_json(sys.argv[2])

print(json.dumps({
    "warnings": [str(warning.message) for warning in caught],
    "types": {name: str(of_store.posterior[name].dtype) for name in ["theta", "accepted", "chain", "draw"]},
    "one_group": dict(one_group.sizes),
    "store": {"groups": sorted(of_store.groups()), "attributes": of_store.attrs, "summary": summary(of_store),
              "odd": said(of_store.sample_stats.odd), "tag": [str(name) for name in of_store.posterior.tag.values],
              "unit": of_store.posterior.theta.attrs, "words": said(of_store.observed_data.words),
              "group": of_store.posterior.attrs},
    "json": {"groups": sorted(of_json.groups()), "attributes": of_json.attrs, "summary": summary(of_json),
             "odd": said(of_json.sample_stats.odd), "tag": [str(name) for name in of_json.posterior.tag.values],
             "words": said(of_json.observed_data.words)},
}))
