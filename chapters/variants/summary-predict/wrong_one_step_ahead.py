"""first_row_visible이 2입니다. 경계가 한 칸 밀려 다음 토큰이 보입니다. (2.1절)"""


def predict(B, T, d, H):
    return {
        "output": (B, T, d),
        "weights": (B, H, T, T),
        "d_head": d // H,
        "parameters": 4 * d * d,
        "parameters_with_bias": 4 * d * d + 4 * d,
        "last_row_visible": T,
        "first_row_visible": 2,
    }
