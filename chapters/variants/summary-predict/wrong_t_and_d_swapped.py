"""output에서 T와 d의 자리가 바뀌었습니다. 토큰 축이 앞이고 성분 축이 마지막입니다. (7.1절)"""


def predict(B, T, d, H):
    return {
        "output": (B, d, T),
        "weights": (B, H, d, d),
        "d_head": d // H,
        "parameters": 4 * d * d,
        "parameters_with_bias": 4 * d * d + 4 * d,
        "last_row_visible": d,
        "first_row_visible": 1,
    }
