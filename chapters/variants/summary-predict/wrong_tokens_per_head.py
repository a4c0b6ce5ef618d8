"""d_head가 토큰 수를 head 수로 나눈 값입니다. 나누는 것은 토큰이 아니라 성분입니다. (4.2절)"""


def predict(B, T, d, H):
    return {
        "output": (B, T, d),
        "weights": (B, H, T, T),
        "d_head": T // H,
        "parameters": 4 * d * d,
        "parameters_with_bias": 4 * d * d + 4 * d,
        "last_row_visible": T,
        "first_row_visible": 1,
    }
