"""output이 (4, 3, 6, 4)입니다. head마다의 출력입니다. 모듈은 이것을 합쳐 입력과 같은 모양으로 돌려줍니다. (4.3절)"""


def predict(B, T, d, H):
    return {
        "output": (B, H, T, d // H),
        "weights": (B, H, T, T),
        "d_head": d // H,
        "parameters": 4 * d * d,
        "parameters_with_bias": 4 * d * d + 4 * d,
        "last_row_visible": T,
        "first_row_visible": 1,
    }
