"""결과의 모양이 (1, 6, 4)입니다. head를 토큰 방향으로 이어 토큰이 여섯이 되었습니다. 성분 방향으로 이어 붙이세요. (4.3절)"""
def join_heads(x):
    return torch.cat(list(x.unbind(dim=1)), dim=1)
