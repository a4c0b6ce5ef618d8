"""칸마다 반복문으로 봅니다."""


def diagnose(weights, pad):
    T = len(pad)
    cells = weights.tolist()
    for i in range(T):
        for j in range(T):
            if math.isnan(cells[i][j]):
                return "query_axis_masked"
    for i in range(T):
        for j in range(T):
            if cells[i][j] > 0 and pad[j] == 0:
                return "padding_visible"
            if cells[i][j] > 0 and j > i:
                return "future_visible"
    return "ok" if all(abs(sum(row) - 1) < 1e-3 for row in cells) else "zeroed_after_softmax"
