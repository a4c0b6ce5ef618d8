{%- extends 'base.tpl' -%}
{%- block title -%}파일{%- endblock -%}
{%- block body -%}<p>{{ message }}</p>{%- endblock -%}
