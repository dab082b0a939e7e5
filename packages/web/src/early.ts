// Runs while the script of the first load is still on its way. Who is logged in needs that of the screens, too: it is
// fetched beside it, and not after it. The addresses are from the build (vite.config.ts).
const { screens = "" } = document.querySelector<HTMLElement>("script[data-screens]")?.dataset ?? {};
const known = localStorage.getItem("parley.tokens") === null ? [] : screens.split(" ");
for (const href of known) {
  const link = document.createElement("link");
  const kind = href.endsWith(".css") ? { rel: "preload", as: "style" } : { rel: "modulepreload" };
  // As it is asked for later, else it would be fetched twice.
  Object.assign(link, kind, { href, crossOrigin: "" });
  document.head.append(link);
}
