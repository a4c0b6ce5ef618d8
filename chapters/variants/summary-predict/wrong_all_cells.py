"""last_row_visible이 36입니다. 표 전체의 칸을 세었습니다. 마지막 토큰의 행 하나에서 보이는 칸만 세세요. (2.1절)"""


def predict(B, T, d, H):
    return {
        "output": (B, T, d),
        "weights": (B, H, T, T),
        "d_head": d // H,
        "parameters": 4 * d * d,
        "parameters_with_bias": 4 * d * d + 4 * d,
        "last_row_visible": T * T,
        "first_row_visible": 1,
    }
