"""넘겨받은 scores나 mask가 바뀌었습니다. 이름이 _로 끝나는 함수나 scores[...] = 대신, 새 텐서를 만드는 방법을 쓰세요. (2.2절)"""


def safe_weights(scores, mask):
    weights = torch.softmax(scores.masked_fill_(mask, float("-inf")), dim=-1)
    return weights.masked_fill(mask.all(dim=-1, keepdim=True), 0.0)
