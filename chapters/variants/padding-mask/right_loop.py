"""문장마다, 칸마다 반복문으로 채웁니다."""


def combined_mask(pad):
    B, T = pad.shape
    mask = torch.zeros(B, 1, T, T, dtype=torch.bool)
    for b in range(B):
        for i in range(T):
            for j in range(T):
                mask[b, 0, i, j] = j > i or pad[b, j].item() == 0
    return mask
