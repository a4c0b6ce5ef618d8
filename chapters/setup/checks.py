#@title 점검 도구 (한 번 실행하세요) { display-mode: "form" }
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_printoptions(precision=4, sci_mode=False)

def same(a, b, atol=1e-4):
    """모양이 같고 모든 칸의 차이가 atol 이하이면 True."""
    return a.shape == b.shape and torch.allclose(a.double(), b.double(), rtol=0, atol=atol, equal_nan=True)

def expect(got, want, message, mistakes={}):
    """got이 want와 다르면 message로 알립니다. 이름난 실수(mistakes)의 결과와 같으면 그 이름으로 알립니다."""
    assert isinstance(got, torch.Tensor), "함수가 텐서를 돌려주지 않았습니다. return 문을 확인하세요."
    assert got.shape == want.shape, "결과의 모양이 기대와 다릅니다. 어느 축이 남아야 하는지 확인하세요."
    assert (got.dtype == torch.bool) == (want.dtype == torch.bool), "결과의 dtype이 다릅니다. bool인지 실수인지 확인하세요."
    for name, wrong in mistakes.items():
        assert not same(got, wrong), name
    assert same(got, want), message
