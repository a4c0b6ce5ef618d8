"""모양은 튜플로, 수는 정수로 적어야 합니다. 나눗셈은 / 대신 //를 쓰세요. (7.1절)"""


def predict(B, T, d, H):
    return {
        "output": (B, T, d),
        "weights": (B, H, T, T),
        "d_head": d / H,
        "parameters": 4 * d * d,
        "parameters_with_bias": 4 * d * d + 4 * d,
        "last_row_visible": T,
        "first_row_visible": 1,
    }
