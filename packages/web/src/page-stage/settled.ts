import { expect } from "vitest";
import type { PageGlobals } from "./globals.js";
import { setSettled } from "./presence.js";

/** So many frames in a row must be without anything under way: an answer may cause further requests. */
const quietPictures = 3;

/** Resolves when nothing of the page is on its way. Held answers do not count. */
export async function settled(page: PageGlobals): Promise<void> {
  let quiet = 0;
  let before = page.server.count;
  await expect
    .poll(
      async () => {
        await new Promise(requestAnimationFrame);
        const cause = onItsWay(page, before);
        before = page.server.count;
        quiet = cause === null ? quiet + 1 : 0;
        return quiet >= quietPictures ? "nothing" : (cause ?? "nothing for a moment");
      },
      { interval: 0, message: "what is on its way" },
    )
    .toBe("nothing");
  setSettled(true);
}

function onItsWay({ server, connections }: PageGlobals, before: number): string | null {
  if (connections.length === 0) return "the first connection";
  if (server.underWay > 0) return `${server.underWay} answers`;
  if (server.count !== before) return "more requests";
  const loading = document.querySelector("[data-loading]");
  return loading === null ? null : `shown as being loaded: ${loading.parentElement?.outerHTML.slice(0, 300)}`;
}
