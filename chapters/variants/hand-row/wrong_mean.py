"""결과가 (0.6667, 0.6667)입니다. 가중치를 쓰지 않고 Value를 고르게 평균한 값입니다. w를 곱했는지 확인하세요. (1.4절)"""
def represent(w, V):
    return V.mean(dim=0)
