"""결과의 모양이 (3, 1, 1, 4)입니다. 패딩 마스크까지만 만들었습니다. 인과 마스크를 합쳐 (B, 1, T, T)로 만드세요. (5.3절)"""


def combined_mask(pad):
    return (pad == 0)[:, None, None, :]
