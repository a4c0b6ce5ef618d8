"""결과가 (0.751, 0.751)입니다. 반올림한 가중치로 계산한 값입니다. 반올림은 보여 줄 때만 합니다. (1.4절)"""
def represent(w, V):
    return torch.round(w, decimals=3) @ V
