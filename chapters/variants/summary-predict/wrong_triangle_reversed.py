"""last_row_visible이 1입니다. 인과 마스크는 앞이 아니라 뒤를 가립니다. 마지막 토큰은 앞의 토큰을 모두 봅니다. (2.1절)"""


def predict(B, T, d, H):
    return {
        "output": (B, T, d),
        "weights": (B, H, T, T),
        "d_head": d // H,
        "parameters": 4 * d * d,
        "parameters_with_bias": 4 * d * d + 4 * d,
        "last_row_visible": 1,
        "first_row_visible": T,
    }
