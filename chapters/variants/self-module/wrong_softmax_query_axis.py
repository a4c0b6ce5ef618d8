"""가중치가 (0.0924, 0.0820, 0.1293, 0.0574)이고 행의 합이 1이 아닙니다. (B, T, T)에서 dim=1은 Query 축입니다. Key 방향인 dim=-1에 softmax를 거세요. (3.7절)"""
class SizedSelfAttention(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.Wq = nn.Linear(d_model, d_k, bias=False)
        self.Wk = nn.Linear(d_model, d_k, bias=False)
        self.Wv = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x, causal=False):
        Q, K, V = self.Wq(x), self.Wk(x), self.Wv(x)
        scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        if causal:
            T = x.shape[1]
            scores = scores.masked_fill(torch.ones(T, T, dtype=torch.bool).triu(1), float("-inf"))
        w = torch.softmax(scores, dim=1)
        return w @ V, w
