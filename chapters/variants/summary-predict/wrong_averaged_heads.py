"""weights가 (4, 6, 6)입니다. head의 표를 평균한 모양입니다. average_attn_weights=False이면 head 축이 남습니다. (4.7절)"""


def predict(B, T, d, H):
    return {
        "output": (B, T, d),
        "weights": (B, T, T),
        "d_head": d // H,
        "parameters": 4 * d * d,
        "parameters_with_bias": 4 * d * d + 4 * d,
        "last_row_visible": T,
        "first_row_visible": 1,
    }
