"""parameters가 1728입니다. head 수를 한 번 더 곱했습니다. head를 늘려도 파라미터는 늘지 않습니다. (4.5절)"""


def predict(B, T, d, H):
    return {
        "output": (B, T, d),
        "weights": (B, H, T, T),
        "d_head": d // H,
        "parameters": 4 * d * d * H,
        "parameters_with_bias": (4 * d * d + 4 * d) * H,
        "last_row_visible": T,
        "first_row_visible": 1,
    }
