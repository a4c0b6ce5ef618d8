"""토큰 0의 줄에서 head 1의 성분이 앞에 왔습니다. head 0부터 차례대로 이어 붙이세요. (4.3절)"""
def join_heads(x):
    return torch.cat(list(x.flip(1).unbind(dim=1)), dim=-1)
