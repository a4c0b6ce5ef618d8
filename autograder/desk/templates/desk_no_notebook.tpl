{%- extends 'gradebook_base.tpl' -%}
{%- block body -%}
<p>채점한 노트북이 없습니다. <code>./course grade {{ assignment }} --student {{ student }}</code>를 실행한 뒤 다시 여세요.</p>
{%- endblock -%}
