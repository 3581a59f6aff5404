project = "Notes of a workshop"
extensions = ["myst_parser", "sphinx.ext.mathjax"]
myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath", "strikethrough", "tasklist"]
suppress_warnings = ["myst.strikethrough", "myst.header", "misc.highlighting_failure"]
html_theme = "furo"
