"""행렬과 편향의 모양에서 세고, 보이는 칸은 자리를 비교해 셉니다."""


def predict(B, T, d, H):
    shapes = {"in_proj_weight": (3 * d, d), "out_proj.weight": (d, d)}
    biases = {"in_proj_bias": 3 * d, "out_proj.bias": d}
    parameters = sum(rows * columns for rows, columns in shapes.values())
    seen = [sum(key <= query for key in range(T)) for query in range(T)]
    return {
        "output": [B, T, d],
        "weights": [B, H, T, T],
        "d_head": len(range(0, d, H)),
        "parameters": parameters,
        "parameters_with_bias": parameters + sum(biases.values()),
        "last_row_visible": seen[-1],
        "first_row_visible": seen[0],
    }
