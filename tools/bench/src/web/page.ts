import type { Browser } from "@parley/testing";
import { median, report } from "../measure.js";
import type { World } from "./world.js";

/** A browser of its own, without anything in its cache, in which the account of the world is logged in. */
export async function openContext(
  browser: Browser,
  { url, tokens }: World,
  options: Parameters<Browser["newContext"]>[0],
) {
  const localStorage = [{ name: "parley.tokens", value: JSON.stringify(tokens) }];
  const context = await browser.newContext({
    ...options,
    storageState: { cookies: [], origins: [{ origin: url, localStorage }] },
  });
  await context.addInitScript(noteFirst);
  return context;
}

/** Notes when a message is drawn for the first time, in milliseconds since the navigation or click. */
const noteFirst = `
  globalThis.drawn = (wanted) => new Promise((resolve) => {
    const look = () => {
      const row = [...document.querySelectorAll("article")].find(({ textContent }) => textContent.includes(wanted));
      if (row === undefined) requestAnimationFrame(look);
      // After the frame that shows it.
      else requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    };
    look();
  });
  globalThis.opened = drawn("");
`;

/** Prints the median of times, and its goal. */
export function reportTimes(what: string, times: readonly number[], goalMs: number): void {
  report(
    `${what.padEnd(26)} ${median(times).toFixed(0)} ms  slowest ${Math.max(...times).toFixed(0)} ms  (median of ${times.length}; goal: ${goalMs} ms)`,
  );
}
