"""가린 칸에 -1e-9처럼 0에 아주 가까운 음수를 넣은 결과입니다. -1e-9는 큰 음수가 아닙니다. -inf를 넣어 보세요. (자주 묻는 질문)"""


def masked_weights(scores, mask):
    return torch.softmax(scores.masked_fill(mask, -1e-9), dim=-1)
