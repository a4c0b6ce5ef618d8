"""행의 합이 모두 1입니다. softmax까지 건 가중치로 보입니다. 여기서는 점수까지만 돌려주세요. (1.2절)"""
def scaled_scores(Q, K):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    return torch.softmax(scores, dim=-1)
