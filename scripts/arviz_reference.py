"""Writes tests/references/chain_diagnostics.json: chains of ours and what ArviZ says of them.

    python3 -m venv target/arviz && target/arviz/bin/pip install arviz==0.23.4
    target/arviz/bin/python scripts/arviz_reference.py
    Rscript scripts/posterior_reference.R

The chains come from a seed, rounded to few decimals so that the file stays small; the second command adds what R's
posterior and coda say of the same chains, in a file of its own. Run again only when the cases change; the test reads
the files.
"""

import json
import logging
import pathlib
import warnings

import arviz
import numpy
from arviz import ess, mcse, rhat

# ArviZ warns of short chains and of NaN, which some cases are about.
warnings.simplefilter("ignore")
logging.disable(logging.WARNING)
numpy.seterr(all="ignore")

random = numpy.random.default_rng(20240229)


def iid(chains, draws):
    return random.normal(size=(chains, draws))


def autoregression(chains, draws, rho):
    """A stationary autoregression of variance 1."""
    values = numpy.empty((chains, draws))
    values[:, 0] = random.normal(size=chains)
    for t in range(1, draws):
        values[:, t] = rho * values[:, t - 1] + (1 - rho * rho) ** 0.5 * random.normal(size=chains)
    return values


def shifted(chains, draws):
    values = iid(chains, draws)
    values[-1] += 0.5
    return values


def scaled(chains, draws):
    values = iid(chains, draws)
    values[0] *= 2
    return values


def one_constant(chains, draws):
    values = iid(chains, draws)
    values[0] = 0.25
    return values


def trend(chains, draws):
    return iid(chains, draws) + numpy.linspace(0, 3, draws)


def with_value(value):
    values = iid(2, 60)
    values[1, 17] = value
    return values


def steps(chains, draws):
    """Every chain keeps to a value of its own."""
    return numpy.repeat(numpy.arange(chains, dtype=float)[:, None], draws, axis=1)


CASES = {
    "independent": iid(4, 1000),
    "autoregression .9": autoregression(4, 1000, 0.9),
    "autoregression .99": autoregression(4, 1000, 0.99),
    "antithetic -.9": autoregression(4, 1000, -0.9),
    "one chain shifted": shifted(4, 500),
    "one chain wider": scaled(4, 500),
    "Cauchy": random.standard_cauchy(size=(4, 500)),
    "trend": trend(3, 400),
    "Poisson 3": random.poisson(3, size=(4, 500)),
    "Poisson .05": random.poisson(0.05, size=(4, 200)),
    "two values": random.integers(0, 2, size=(4, 250)),
    "two values as often": numpy.tile([0.0, 1.0, 1.0, 0.0], (4, 25)),
    "slow counts": numpy.round(3 * autoregression(2, 800, 0.95)),
    "far from zero": -1e5 + autoregression(4, 250, 0.5),
    "tiny": 1e-4 * numpy.exp(autoregression(2, 200, 0.5)),
    "one chain of 1000": autoregression(1, 1000, 0.5),
    "eight chains of 250": autoregression(8, 250, 0.7),
    "all draws equal": numpy.full((4, 100), 0.5),
    "one chain constant": one_constant(4, 100),
    "each chain constant": steps(3, 60),
    "NaN": with_value(numpy.nan),
    "infinity": with_value(numpy.inf),
    "minus infinity": with_value(-numpy.inf),
    "three draws": iid(4, 3),
    "moves in the middle only": numpy.array([[0, 0, 1, 0, 0], [0, 0, 0, 0, 0.0]]),
}
for length in [4, 5, 6, 7, 8, 9, 10, 13, 20, 21, 33, 50, 51, 99, 101, 128, 200, 333]:
    for number in [1, 2, 3, 4, 8]:
        CASES[f"{number} by {length}"] = autoregression(number, length, 0.3)

# The 5 % point of this many draws is a draw itself.
CASES["one chain of 1001"] = autoregression(1, 1001, 0.2)


def plain(value):
    """A number that JSON has; NaN as null, infinities by name."""
    value = float(value)
    if numpy.isnan(value):
        return None
    return value if numpy.isfinite(value) else ("inf" if value > 0 else "-inf")


def reference(values):
    result = {
        "rhat": rhat(values),
        "rhat_bulk": rhat(values, method="z_scale"),
        "rhat_folded": rhat(values, method="folded"),
        "ess_bulk": ess(values),
        "ess_tail": ess(values, method="tail"),
        "ess_mean": ess(values, method="mean"),
        "ess_sd": ess(values, method="sd"),
        "ess_median": ess(values, method="median"),
        "ess_q10": ess(values, method="quantile", prob=0.1),
        "mcse_mean": mcse(values),
        "mcse_sd": mcse(values, method="sd"),
        "mcse_median": mcse(values, method="median"),
        "mcse_q10": mcse(values, method="quantile", prob=0.1),
        "q5": numpy.quantile(values, 0.05),
        "q95": numpy.quantile(values, 0.95),
        "median": numpy.median(values),
        "mean": values.mean(),
        "sd": values.std(ddof=1),
    }
    result = {name: plain(value) for name, value in result.items()}
    # As of ArviZ's default at the time of writing, and of half the draws.
    for mass in [0.94, 0.5]:
        result[f"hdi_{mass}"] = [plain(end) for end in arviz.hdi(values.ravel(), hdi_prob=mass)]
    correlation = arviz.autocorr(values)[:, :11]
    result["autocorrelation"] = [[plain(value) for value in row] for row in correlation]
    return result


def main():
    cases = []
    for name, values in CASES.items():
        values = numpy.asarray(values, dtype=float)
        decimals = 9 if name == "tiny" else 3
        values = numpy.round(values, decimals) + 0.0
        chains = [[plain(value) for value in row] for row in values]
        cases.append({"name": name, "chains": chains, "arviz": reference(values)})
    path = pathlib.Path(__file__).parent.parent / "tests/references/chain_diagnostics.json"
    by = f"arviz {arviz.__version__}, numpy {numpy.__version__}"
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    path.write_text(f'{{"by": {json.dumps(by)}, "cases": [\n{lines}\n]}}\n')
    print(f"{path.name}: {len(cases)} cases, {path.stat().st_size} bytes")


main()
