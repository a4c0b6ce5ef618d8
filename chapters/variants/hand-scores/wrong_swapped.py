"""결과의 모양이 (5, 3)입니다. 행에 Key가 놓였습니다. 행이 Query가 되도록 Q를 앞에 두고 곱하세요. (1.1절)

행에 Key가 놓였습니다. 행이 Query가 되도록 Q를 앞에 두고 곱하세요. (1.1절)
"""
def scaled_scores(Q, K):
    return K @ Q.transpose(-2, -1) / math.sqrt(Q.shape[-1])
