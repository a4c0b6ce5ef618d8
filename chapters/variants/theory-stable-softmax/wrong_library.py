"""torch.softmax나 F.softmax를 불렀습니다. 이 문제에서는 쓰지 않습니다. 최댓값 빼기, exp, 더하기, 나누기로 계산하세요. (I.6절)"""
def stable_softmax(scores):
    return torch.softmax(scores, dim=-1)
