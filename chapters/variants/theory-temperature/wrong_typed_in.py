"""점수를 바꾸어도 몫이 그대로입니다. 값을 적어 넣지 말고 scores와 temperature로 계산하세요. (I.5절)"""


def softmax_with_temperature(scores, temperature):
    """모양이 (…, n)인 점수에 온도를 적용해 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    if temperature == 0.5:
        return torch.tensor([[0.8638, 0.1169, 0.0193], [0.0024, 0.0179, 0.9796]])
    return torch.tensor([[0.4450, 0.3188, 0.2362], [0.1955, 0.2729, 0.5315]])
