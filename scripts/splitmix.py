"""Numbers that scripts of references and their tests (tests/support) make alike."""

MASK = (1 << 64) - 1


def mixed(x):
    """The output function of SplitMix64."""
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)
