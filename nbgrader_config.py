"""Settings for nbgrader's own commands in this folder (formgrader, export, ...). `./course` reads them too."""
c = get_config()  # noqa: F821  (nbgrader provides it)

c.CourseDirectory.course_id = "attention-by-hand"
# Stubs raise only when a check calls the function, so an untouched notebook still runs up to its first check.
c.ClearSolutions.code_stub = {"python": 'raise NotImplementedError("아직 빈칸입니다. 이 줄을 지우고 답을 쓰세요.")'}
c.ClearSolutions.text_stub = "여기에 답을 쓰세요."
