"""einsum으로 내적하고 d의 -1/2제곱을 곱합니다."""
def scaled_scores(Q, K):
    return torch.einsum("...td,...sd->...ts", Q, K) * K.shape[-1] ** -0.5
