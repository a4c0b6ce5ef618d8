"""The picture of a scene for places without JavaScript: the weights with their row sums, and the new representations as
points among the Values. Text alternative from the same numbers."""
from __future__ import annotations

from html import escape

import torch

FONT = "Noto Sans KR, Apple SD Gothic Neo, Malgun Gothic, sans-serif"
CELL, LEFT, TOP = 88, 150, 90  # of the table of weights
POINTS, SIZE = 640, 250  # where the square of the points begins, and how large it is


def picture(tokens: list[str], V: list[list[float]], tables: dict[str, torch.Tensor]) -> tuple[str, str]:
    """(SVG, alt text) of a scene with Values of two components."""
    W, O = tables["W"].tolist(), tables["O"].tolist()
    rows = ", ".join(f"{token} {_numbers(row)}" for token, row in zip(tokens, W))
    points = ", ".join(f"{token} {_numbers(row)}" for token, row in zip(tokens, O))
    alt = f"왼쪽은 가중치 W의 표이고 행의 합이 모두 1입니다. {rows}. 오른쪽은 Value 사이에 찍은 새 표현 WV입니다. {points}."
    height = max(TOP + CELL * len(tokens) + 30, TOP + SIZE + 60)
    body = "\n".join(["  <g>", *_weights(tokens, W), "  </g>", "  <g>", *_points(tokens, V, O), "  </g>"])
    size = f'viewBox="0 0 {POINTS + SIZE + 110} {height}"'
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="{FONT}" font-size="26">'
    background = '  <rect width="100%" height="100%" fill="#fdfdfb"/>'
    return f"{opening}\n  <title>{escape(alt)}</title>\n{background}\n{body}\n</svg>\n", alt


def _numbers(row: list[float]) -> str:
    return f"({', '.join(f'{x:z.3f}' for x in row)})"


def _text(x: float, y: float, text: str, more: str = "") -> str:
    return f'    <text x="{x:g}" y="{y:g}" {more or "text-anchor=" + chr(34) + "middle" + chr(34)}>{escape(text)}</text>'


def _weights(tokens: list[str], W: list[list[float]]) -> list[str]:
    """The table of weights, darker where a weight is larger."""
    lines = [_text(LEFT + CELL * len(tokens) / 2, 36, "가중치 W", 'text-anchor="middle" font-weight="700"')]
    for j, token in enumerate([*tokens, "행의 합"]):
        lines.append(_text(LEFT + CELL * (j + 0.5), TOP - 14, token, 'text-anchor="middle" font-size="20" fill="#374151"'))
    for i, (token, row) in enumerate(zip(tokens, W)):
        y = TOP + CELL * i
        lines.append(_text(LEFT - 14, y + CELL / 2 + 9, token, 'text-anchor="end" font-size="22"'))
        for j, x in enumerate(row):
            shade = "#ffffff" if x != x else f"rgb({255 - x * 226:.0f},{255 - x * 160:.0f},{255 - x * 87:.0f})"
            lines.append(f'    <rect x="{LEFT + CELL * j}" y="{y}" width="{CELL}" height="{CELL}" fill="{shade}" stroke="#374151"/>')
            dark = "#ffffff" if x > 0.5 else "#111827"
            lines.append(_text(LEFT + CELL * (j + 0.5), y + CELL / 2 + 9, f"{x:.3f}", f'text-anchor="middle" fill="{dark}"'))
        lines.append(_text(LEFT + CELL * (len(row) + 0.5), y + CELL / 2 + 9, f"{sum(row):.3f}", 'text-anchor="middle" fill="#374151"'))
    return lines


def _points(tokens: list[str], V: list[list[float]], O: list[list[float]]) -> list[str]:
    """Squares for the Values, numbered circles for the rows of O."""
    low = [min(p[n] for p in [*V, *O]) for n in (0, 1)]
    span = max(p[n] - low[n] for p in [*V, *O] for n in (0, 1)) or 1

    def spot(p: list[float]) -> tuple[float, float]:
        return POINTS + 40 + (p[0] - low[0]) / span * SIZE, TOP + 10 + SIZE - (p[1] - low[1]) / span * SIZE

    lines = [_text(POINTS + 40 + SIZE / 2, 36, "새 표현 WV", 'text-anchor="middle" font-weight="700"')]
    for i, a in enumerate(V):
        for j, b in enumerate(V[i:], i):
            for c in V[j:]:
                corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(spot, (a, b, c)))
                lines.append(f'    <polygon points="{corners}" fill="#e5edf7" stroke="#9ca3af"/>')
    for token, v in zip(tokens, V):
        x, y = spot(v)
        lines.append(f'    <rect x="{x - 8:.1f}" y="{y - 8:.1f}" width="16" height="16" fill="#374151"/>')
        lines.append(_text(x, y + (34 if y > TOP + SIZE / 2 else -18), token, 'text-anchor="middle" font-size="20"'))
    for i, o in enumerate(O):
        if o == o and all(x == x for x in o):
            x, y = spot(o)
            lines.append(f'    <circle cx="{x:.1f}" cy="{y:.1f}" r="15" fill="#b45309" stroke="#ffffff" stroke-width="2"/>')
            lines.append(_text(x, y + 7, str(i), 'text-anchor="middle" font-size="20" fill="#ffffff" font-weight="700"'))
    legend = ", ".join(f"{i} {token}" for i, token in enumerate(tokens))
    return [*lines, _text(POINTS + 40 + SIZE / 2, TOP + SIZE + 78, legend, 'text-anchor="middle" font-size="18"')]
