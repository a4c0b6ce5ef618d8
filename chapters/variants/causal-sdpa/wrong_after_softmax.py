"""보이는 칸의 몫을 합해도 1이 되지 않는 출력입니다. softmax 뒤에서 지우지 말고 마스크를 SDPA에 넘겨 보세요. (2.3절)"""


def sdpa_hide(Q, K, V, mask):
    weights = torch.softmax(Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1]), dim=-1)
    return weights.masked_fill(mask, 0.0) @ V
