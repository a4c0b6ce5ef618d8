"""토큰마다 가중치를 곱한 벡터를 반복문으로 더합니다."""
def represent(w, V):
    result = torch.zeros(V.shape[1])
    for share, value in zip(w, V):
        result = result + share * value
    return result
