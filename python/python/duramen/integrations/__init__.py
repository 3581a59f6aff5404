"""Duramen in the pipelines that clean web pages. Each module needs the package that it is named after."""
