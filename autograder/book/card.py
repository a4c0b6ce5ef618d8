"""The picture that messengers show beside a link: `python -m autograder.book.card` draws assets/card.png anew.

The weights of the three-token example, computed here. It is committed, so that a build needs not draw it.
"""
from __future__ import annotations

import io
from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import font_manager
from matplotlib import pyplot as plt

HERE = Path(__file__).parent
FONT = HERE.parents[1] / "chapters" / "fonts" / "NotoSansKR-subset.otf"
TOKENS = ("고양이가", "생선을", "먹었다")
Q, K = np.array([[2, 1], [1, 2], [1, 3]]), np.array([[1, 0], [0, 2], [1, 1]])
BLUE, WIDTH, HEIGHT = "#1d4f8c", 1200, 630  # the size that OpenGraph readers expect, in pixels


def draw() -> bytes:
    """The card as PNG."""
    scores = Q @ K.T / np.sqrt(2)
    weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    font_manager.fontManager.addfont(FONT)
    with plt.rc_context({"font.family": font_manager.FontProperties(fname=FONT).get_name(), "mathtext.fontset": "cm"}):
        figure = plt.figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=100, facecolor="white")
        figure.text(0.06, 0.62, "어텐션을\n손으로", fontsize=54, color=BLUE, va="center", linespacing=1.35)
        figure.text(0.06, 0.3, r"$\mathrm{softmax}\left(QK^\top/\sqrt{d}\right)V$", fontsize=34, color="#333333")
        axes = figure.add_axes((0.55, 0.13, 0.4, 0.66))
        axes.imshow(weights, cmap="Blues", vmin=0, vmax=1, aspect="auto")
        for row, column in np.ndindex(weights.shape):
            shade = "white" if weights[row, column] > 0.5 else "#1c2430"
            axes.text(column, row, f"{weights[row, column]:.3f}", ha="center", va="center", fontsize=28, color=shade)
        axes.set_xticks(range(3), TOKENS, fontsize=22)
        axes.set_yticks(range(3), TOKENS, fontsize=22)
        axes.xaxis.tick_top()
        axes.tick_params(length=0, pad=10)
        axes.spines[:].set_visible(False)
        png = io.BytesIO()
        figure.savefig(png, metadata={"Software": None})
        plt.close(figure)
    return png.getvalue()


if __name__ == "__main__":
    (HERE / "assets" / "card.png").write_bytes(draw())
