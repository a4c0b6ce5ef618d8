"""점수가 아주 크거나 작을 때 가중치가 달라집니다. 지수를 직접 구했다면 최댓값을 먼저 빼거나 torch.softmax를 쓰세요. (1.3절)"""


def safe_weights(scores, mask):
    exps = torch.exp(scores) * ~mask
    return exps / (exps.sum(dim=-1, keepdim=True) + 1e-9)
