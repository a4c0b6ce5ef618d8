"""[PAD]의 열에 몫이 있는 가중치를 ok로 진단했습니다. 진짜 토큰의 행만 보면 인과 마스크에 가려져 드러나지 않습니다. 모든 행을 보세요. (자주 묻는 질문)"""


def diagnose(weights, pad):
    return "ok"
