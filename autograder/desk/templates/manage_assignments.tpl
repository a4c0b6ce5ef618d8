{%- extends 'nbgrader/manage_assignments.tpl' -%}
{%- block messages -%}
<p>Submissions의 수를 누르면 낸 과제의 목록이 나옵니다. 손으로 채점할 답은 <a href="{{ base_url }}/formgrader/gradebook">Manual Grading</a>에 있습니다.</p>
{%- endblock -%}
