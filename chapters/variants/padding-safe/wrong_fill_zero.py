"""가린 칸에도 몫이 갑니다. 점수를 0으로 바꾸면 exp(0) = 1이 분모에 남습니다. 0이 아니라 -inf를 넣어 보세요. (2.3절)"""


def safe_weights(scores, mask):
    return torch.softmax(scores.masked_fill(mask, 0.0), dim=-1)
