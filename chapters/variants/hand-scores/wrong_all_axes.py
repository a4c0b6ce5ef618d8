"""앞에 축이 더 붙은 Q와 K에서 오류가 났습니다. 모든 축을 뒤집는 K.T나 축 번호를 못 박은 코드가 있는지 보고, 마지막 두 축만 맞바꾸세요. (1.5절)"""
def scaled_scores(Q, K):
    axes = tuple(reversed(range(K.dim())))
    return Q @ K.permute(axes) / math.sqrt(Q.shape[-1])
