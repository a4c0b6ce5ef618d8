"""-inf 대신 -1e9를 씁니다. 한 행이 모두 가려지지 않는 한 결과가 같습니다."""


def masked_weights(scores, mask):
    return F.softmax(torch.where(mask, -1e9, scores), dim=-1)
