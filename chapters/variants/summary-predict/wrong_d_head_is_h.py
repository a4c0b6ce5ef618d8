"""d_head가 3입니다. 3은 head의 수입니다. head 하나가 맡는 성분의 수를 구하세요. (4.2절)"""


def predict(B, T, d, H):
    return {
        "output": (B, T, d),
        "weights": (B, H, T, T),
        "d_head": H,
        "parameters": 4 * d * d,
        "parameters_with_bias": 4 * d * d + 4 * d,
        "last_row_visible": T,
        "first_row_visible": 1,
    }
