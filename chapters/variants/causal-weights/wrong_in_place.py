"""넘겨받은 scores가 바뀌었습니다. 이름이 _로 끝나는 함수나 scores[...] = 대신, 새 텐서를 만드는 방법을 쓰세요. (2.2절)"""


def masked_weights(scores, mask):
    scores.masked_fill_(mask, float("-inf"))
    return torch.softmax(scores, dim=-1)
