"""마스크의 모양이 점수와 다르면 오류가 납니다. 빈 행을 고를 때 keepdim=True로 축을 남기고 브로드캐스팅해 보세요. (5.5절)"""


def safe_weights(scores, mask):
    weights = torch.softmax(scores.masked_fill(mask, float("-inf")), dim=-1)
    weights[mask.all(dim=-1)] = 0.0
    return weights
