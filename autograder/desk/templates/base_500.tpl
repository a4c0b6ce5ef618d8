{%- extends 'nbgrader/base_500.tpl' -%}
{%- block body -%}
<p>이 쪽을 만들지 못했습니다. 새로 고쳐 보고, 계속되면 <code>./course formgrade</code>를 실행한 창의 오류를 확인하세요.</p>
<span id="error-{{ error_code }}"></span>
{%- endblock -%}
