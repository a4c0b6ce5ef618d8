{%- extends 'nbgrader/manage_submissions.tpl' -%}
{%- block messages -%}
<p>번개 모양을 누르면 그 학생의 과제만 채점합니다. 다른 쪽은 그동안에도 쓸 수 있습니다. 모두 채점하려면 터미널에서
<code>./course grade {{ assignment_id }}</code>를 실행하세요.</p>
{%- endblock -%}
