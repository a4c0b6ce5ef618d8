"""모든 칸이 NaN입니다. 마스크에 -inf를 곱하면 False인 칸이 0 × (-inf) = NaN이 됩니다. 곱하지 말고 가릴 칸만 바꿔 보세요. (2.2절)"""


def masked_weights(scores, mask):
    return torch.softmax(scores + mask * float("-inf"), dim=-1)
