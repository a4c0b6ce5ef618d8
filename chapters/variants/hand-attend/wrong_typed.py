"""q가 달라져도 먹었다의 가중치가 그대로 나옵니다. 숫자를 옮겨 적지 말고 q와 K로 계산하세요. (1.1절)"""
def attend_one(q, K, V):
    weights = torch.tensor([0.0229, 0.7860, 0.1911])
    return weights @ V, weights
