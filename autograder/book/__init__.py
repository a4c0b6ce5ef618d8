"""The site: chapters -> student view -> Jupyter Book. `site` builds it, `extension` is loaded by Sphinx."""
