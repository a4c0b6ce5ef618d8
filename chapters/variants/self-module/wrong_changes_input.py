"""forward를 부른 뒤 x의 값이 바뀌었습니다. *=처럼 제자리에서 고치는 연산 대신 새 텐서를 만드세요."""
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
        w = torch.softmax(scores, dim=-1)
        x[..., :V.shape[-1]] = (w @ V).detach()
        return w @ V, w
