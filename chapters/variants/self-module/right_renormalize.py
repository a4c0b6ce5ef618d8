"""softmax 뒤에 가린 칸을 지우고 행의 합으로 다시 나눕니다."""
class SizedSelfAttention(nn.Module):
    def __init__(self, d_model, d_k, d_v):
        super().__init__()
        self.Wq = nn.Linear(d_model, d_k, bias=False)
        self.Wk = nn.Linear(d_model, d_k, bias=False)
        self.Wv = nn.Linear(d_model, d_v, bias=False)

    def forward(self, x, causal=False):
        Q, K, V = self.Wq(x), self.Wk(x), self.Wv(x)
        exps = torch.exp(Q @ K.mT / math.sqrt(K.shape[2]))
        if causal:
            exps = exps.tril()
        w = exps / exps.sum(dim=-1, keepdim=True)
        return w @ V, w
