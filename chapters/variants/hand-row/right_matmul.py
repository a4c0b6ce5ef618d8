"""행렬 곱 한 번으로 섞습니다."""
def represent(w, V):
    return w @ V
