"""The book's own code against PyTorch's: same numbers on shapes that no page uses, over several seeds."""
import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from autograder import notebooks
from autograder.exercises import parse
from autograder.handins import variants

# (B, H, T, S, d, d_v): all different, so that a mixed-up axis cannot hide.
SHAPES = [(2, 3, 5, 7, 4, 6), (3, 2, 1, 4, 8, 5), (1, 5, 6, 2, 3, 7)]


@pytest.fixture(scope="module")
def page(course):
    """page(chapter, *cell ids): the names that these cells define."""

    def load(chapter: str, *cells: str) -> dict:
        space = {"math": math, "torch": torch, "nn": nn, "F": F, "print": lambda *args: None}
        sources = {cell.id: cell.source for cell in notebooks.chapter(course, chapter).cells}
        for cell in cells:
            exec(sources[cell].split("\n\n\noutput, weights")[0], space)
        return space

    return load


@pytest.fixture(scope="module")
def answer(course):
    """answer(exercise): the names that its model answer defines."""
    models = {}
    for chapter in course.assignment("lab11").chapters:
        models |= {e.grade_id: variants(course, e, "")[0].code for e in parse(notebooks.chapter(course, chapter))}

    def load(exercise: str) -> dict:
        space = {"math": math, "torch": torch, "nn": nn, "F": F}
        exec(models[exercise], space)
        return space

    return load


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("chapter", "cell"), [("hand", "hand-function"), ("self", "self-module-attention")])
def test_attention_is_that_of_torch(page, chapter, cell, shape, seed):
    B, H, T, S, d, d_v = shape
    torch.manual_seed(seed)
    Q, K, V = torch.randn(B, H, T, d), torch.randn(B, H, S, d), torch.randn(B, H, S, d_v)
    hide = torch.rand(B, 1, T, S) < 0.4
    hide[..., 0] = False  # no row may lose all its cells: there the two are not comparable
    attention = page(chapter, cell)["attention"]
    for mask in (None, hide):
        output, weights = attention(Q, K, V, mask)
        wanted = F.scaled_dot_product_attention(Q, K, V, attn_mask=None if mask is None else ~mask)
        torch.testing.assert_close(output, wanted, atol=1e-6, rtol=1e-5)
        torch.testing.assert_close(weights.sum(-1), torch.ones(B, H, T))


@pytest.mark.parametrize("causal", [False, True])
def test_the_self_attention_module_is_that_of_torch(page, causal):
    torch.manual_seed(1)
    layer = page("self", "self-module-attention", "self-module-class")["SelfAttention"](6)
    x = torch.randn(3, 5, 6)
    y, w = layer(x, causal=causal)
    wanted = F.scaled_dot_product_attention(layer.Wq(x), layer.Wk(x), layer.Wv(x), is_causal=causal)
    torch.testing.assert_close(y, wanted, atol=1e-6, rtol=1e-5)
    assert w.triu(1).sum().item() == 0 or not causal


@pytest.mark.parametrize(("B", "T", "d", "H"), [(2, 5, 8, 2), (3, 7, 12, 4), (4, 1, 6, 3)])
def test_multi_head_is_that_of_torch(answer, B, T, d, H):
    torch.manual_seed(2)
    module = nn.MultiheadAttention(d, H, bias=False, batch_first=True)
    x = torch.randn(B, T, d)
    Wq, Wk, Wv = module.in_proj_weight.detach().chunk(3)
    got = answer("heads-attention")["multi_head"](x, Wq, Wk, Wv, module.out_proj.weight.detach(), H)
    torch.testing.assert_close(got, module(x, x, x, need_weights=False)[0], atol=1e-6, rtol=1e-5)


def test_both_masks_together_are_those_of_torch(answer):
    torch.manual_seed(3)
    B, T, d, H = 3, 5, 8, 2
    pad = torch.tensor([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1], [1, 0, 0, 0, 0]])
    module = nn.MultiheadAttention(d, H, bias=False, batch_first=True)
    x = torch.randn(B, T, d)
    hide = answer("padding-mask")["combined_mask"](pad)
    _, weights = module(x, x, x, key_padding_mask=pad == 0, attn_mask=answer("causal-mask")["causal_mask"](T), average_attn_weights=False)
    assert hide.shape == (B, 1, T, T) and hide.dtype == torch.bool
    assert (weights[hide.expand_as(weights)] == 0).all() and (weights[~hide.expand_as(weights)] > 0).all()
