"""exp(점수 - log(exp의 합)): 로그를 거쳐 나눗셈을 뺄셈으로 바꿉니다."""


def stable_softmax(scores):
    """모양이 (…, n)인 점수를 마지막 축의 합이 1인 몫으로 바꿉니다. 모양은 그대로입니다."""
    return (scores - torch.logsumexp(scores, dim=-1, keepdim=True)).exp()
