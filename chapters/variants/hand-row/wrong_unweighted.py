"""결과가 (2, 2)입니다. 가중치를 곱하지 않고 Value를 더한 값입니다. 더하기 전에 w를 곱하세요. (1.4절)"""
def represent(w, V):
    return V.sum(dim=0)
