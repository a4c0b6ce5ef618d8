// MathJax 3 for a page that was written for MathJax 2. Students write the formulas: no links, styles, classes or ids in
// them, and no loading of further packages.
window.MathJax = {
  loader: { load: ['ui/safe', '[tex]/boldsymbol', '[tex]/cancel', '[tex]/color'] },
  tex: {
    packages: { '[+]': ['boldsymbol', 'cancel', 'color'], '[-]': ['require', 'autoload'] },
    inlineMath: [['$', '$'], ['\\(', '\\)']],
    processEscapes: true,
  },
  options: {
    enableMenu: false,
    safeOptions: { allow: { URLs: 'none', classes: 'none', cssIDs: 'none', styles: 'none' } },
  },
};

document.addEventListener('DOMContentLoaded', () => {
  // formgrade.js waits for MathJax 2 to say "End", then sets up focus and keys.
  MathJax.Hub = { Startup: { signal: { Interest: (listener) => MathJax.startup.promise.then(() => listener('End')) } } };

  // The student's name in the heading would open the notebook in JupyterLab, which this server has not.
  $('.live-notebook a').removeAttr('href target title');

  // Comments go into feedback as they are written, not as Markdown.
  $(document).ajaxStop(() => $('.comment[placeholder^="Type any"]').attr('placeholder', '의견을 쓰세요. 학생의 피드백에 쓴 그대로 나옵니다.'));

  // nbgrader says nothing when a score could not be saved.
  const show = (text) => {
    $('.desk-message').remove();
    if (text) $('<div class="desk-message" role="alert"/>').text(text).appendTo('body');
  };
  const message = (xhr) => {
    try { return JSON.parse(xhr.responseText).message; } catch { return undefined; }
  };
  $(document).ajaxSuccess((event, xhr) => show(message(xhr)));
  $(document).ajaxError((event, xhr) => show(message(xhr) || '저장하지 못했습니다. 쪽을 새로 고치고, 계속되면 ./course formgrade를 다시 실행하세요.'));
});
