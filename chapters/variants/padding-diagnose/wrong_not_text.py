"""돌려준 값이 문자열이 아닙니다. 다섯 이름 가운데 하나를 돌려주세요. (5.3절)"""


def diagnose(weights, pad):
    return bool(weights.isnan().any())
