"""softmax 없이 지수를 구해 가린 칸을 지운 뒤 행의 합으로 나눕니다."""


def masked_weights(scores, mask):
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True)) * ~mask
    return exps / exps.sum(dim=-1, keepdim=True)
