"""패딩을 뺀 합을 T로 나누었습니다. 리뷰마다 진짜 토큰의 수로 나누세요. (6.1절)"""
def masked_mean(X, mask):
    return (X * (mask != 0).unsqueeze(-1)).mean(dim=1)
