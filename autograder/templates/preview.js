/* Put into pages by the preview server only: reloads when a new build is there, shows in a bar why there is none. */
(() => {
  let shown;
  const look = async () => {
    const state = await fetch("/preview.json", {cache: "no-store"}).then((answer) => answer.json()).catch(() => null);
    if (!state) return;
    shown ??= state.version;
    if (state.version !== shown) return location.reload();
    let bar = document.querySelector("#preview-bar");
    if (!bar) {
      bar = document.body.appendChild(document.createElement("pre"));
      bar.id = "preview-bar";
      bar.setAttribute("role", "alert");
      bar.style.cssText = "position: fixed; inset: auto 0 0; z-index: 2000; max-height: 40vh; overflow: auto; margin: 0; padding: 1rem;"
        + "border: 0; background: #7a1020; color: #fff; white-space: pre-wrap";
    }
    if (bar.textContent !== state.error) bar.textContent = state.error;
    bar.hidden = !state.error;
  };
  look();
  setInterval(look, 1000);
})();
