"""조각이 그대로 남았습니다. ##로 시작하는 조각을 앞의 낱말에 이어 붙이세요. (6.2절)"""
def top_words(tokens, weights, mask, k):
    places = [i for i in weights.argsort(descending=True).tolist() if mask[i]][:k]
    return [(tokens[i].removeprefix("##"), weights[i].item()) for i in places]
