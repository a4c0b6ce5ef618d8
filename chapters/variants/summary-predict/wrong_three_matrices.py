"""parameters가 432입니다. Wq, Wk, Wv까지만 센 수입니다. head를 합친 뒤에 곱하는 Wo도 세세요. (4.5절)"""


def predict(B, T, d, H):
    return {
        "output": (B, T, d),
        "weights": (B, H, T, T),
        "d_head": d // H,
        "parameters": 3 * d * d,
        "parameters_with_bias": 3 * d * d + 3 * d,
        "last_row_visible": T,
        "first_row_visible": 1,
    }
