"""parameters_with_bias에서 Wo의 편향이 빠졌습니다. 편향은 행렬 넷에 저마다 붙습니다. (4.5절)"""


def predict(B, T, d, H):
    return {
        "output": (B, T, d),
        "weights": (B, H, T, T),
        "d_head": d // H,
        "parameters": 4 * d * d,
        "parameters_with_bias": 4 * d * d + 3 * d,
        "last_row_visible": T,
        "first_row_visible": 1,
    }
