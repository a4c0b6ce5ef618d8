"""결과가 (0.6961, 0.6961)입니다. w에 softmax를 한 번 더 건 값입니다. w는 이미 몫이므로 그대로 곱하세요. (1.3절)"""
def represent(w, V):
    return torch.softmax(w, dim=-1) @ V
