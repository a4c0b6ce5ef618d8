"""가린 칸은 0이지만 행의 합이 1이 아닙니다. softmax 뒤에서 지우면 가린 토큰의 몫이 돌아오지 않습니다. softmax 앞에서 가려 보세요. (2.3절)"""


def masked_weights(scores, mask):
    return torch.softmax(scores, dim=-1).masked_fill(mask, 0.0)
