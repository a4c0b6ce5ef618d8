/* For the keyboard. What scrolls sideways can be reached: the theme looks once, when the page has loaded, but cells that
   are unfolded and formulas that are typeset change after that. And who closes a panel is back at the button that opened it. */
(() => {
  const boxes = "pre, .cell_output > .output, .pst-scrollable-table-container, mjx-container[display=true]";
  const reach = (box) => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  };
  const watch = new ResizeObserver((changes) => changes.forEach((change) => reach(change.target)));
  const start = () => document.querySelectorAll(boxes).forEach((box) => watch.observe(box));
  addEventListener("load", async () => {
    await window.MathJax?.startup?.promise;
    start();
  });

  let opener;
  for (const button of document.querySelectorAll(".sidebar-toggle, .search-button__button"))
    button.addEventListener("click", () => (opener = button), true);
  for (const dialog of document.querySelectorAll("dialog")) dialog.addEventListener("close", () => opener?.focus());
})();
