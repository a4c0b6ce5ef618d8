"""가린 칸이 둘째 행의 몫을 다 가져갔습니다. 음수 점수에 큰 음수를 곱하면 큰 양수가 됩니다. 곱하지 말고 -inf로 바꿔 보세요. (자주 묻는 질문)"""


def masked_weights(scores, mask):
    return torch.softmax(torch.where(mask, scores * -1e9, scores), dim=-1)
