"""V를 뒤집어 열 벡터와 곱합니다."""
def represent(w, V):
    return (V.T @ w[:, None]).squeeze(-1)
