"""마스크의 모양이 점수와 다르면 오류가 납니다. 같은 모양을 요구하는 scores[mask] 대신 브로드캐스팅하는 방법을 쓰세요. (2.2절)"""


def masked_weights(scores, mask):
    masked = scores.clone()
    masked[mask] = float("-inf")
    return torch.softmax(masked, dim=-1)
