"""last_row_visible이 5입니다. 대각선까지 가렸습니다. 토큰은 자기 자신도 봅니다. (2.1절)"""


def predict(B, T, d, H):
    return {
        "output": (B, T, d),
        "weights": (B, H, T, T),
        "d_head": d // H,
        "parameters": 4 * d * d,
        "parameters_with_bias": 4 * d * d + 4 * d,
        "last_row_visible": T - 1,
        "first_row_visible": 0,
    }
