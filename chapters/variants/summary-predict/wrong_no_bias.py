"""parameters_with_bias가 576입니다. 편향이 빠졌습니다. 행렬마다 출력 성분 하나에 편향이 하나씩 붙습니다. (4.5절)"""


def predict(B, T, d, H):
    return {
        "output": (B, T, d),
        "weights": (B, H, T, T),
        "d_head": d // H,
        "parameters": 4 * d * d,
        "parameters_with_bias": 4 * d * d,
        "last_row_visible": T,
        "first_row_visible": 1,
    }
