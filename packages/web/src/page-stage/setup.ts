import { afterEach, beforeAll, expect } from "vitest";
import { commands, type Locator, locators } from "vitest/browser";
import { pageFailed, replaceGlobals, takeProtocol } from "./globals.js";
import { rememberPresence } from "./presence.js";
import "../ui/look/theme.css";

declare module "vitest/browser" {
  interface LocatorSelectors {
    /** Elements by a CSS selector, for those without a role and a name. */
    getByCss(selector: string): Locator;
  }
}

locators.extend({ getByCss: (selector) => `css=${selector}` });

const isFirst = !("parleyStage" in globalThis);
if (isFirst) {
  Reflect.set(globalThis, "parleyStage", true);
  rememberPresence();
  replaceGlobals(await commands.describedEndpoints());
  addEventListener("error", ({ message }) => {
    // Says that sizes changed once more in the same picture; the browser delivers that with the next one.
    if (!message.startsWith("ResizeObserver loop")) pageFailed(`The page threw: ${message}`);
  });
  addEventListener("unhandledrejection", ({ reason }) => pageFailed(`The page threw: ${reason}`));
  const { followFocus } = await import("../ui/overlays/return-focus.js");
  const { followLanguage } = await import("../ui/look/use-language.js");
  const { followTheme } = await import("../ui/look/use-theme.js");
  followFocus();
  followLanguage();
  followTheme();
}

beforeAll(async () => {
  // The first import of hundreds of modules takes longer than a test may.
  await import("../screens.js");
});

afterEach(async () => {
  const protocol = takeProtocol();
  if (protocol === null) return;
  const { answers, frames, failures } = protocol;
  expect([...failures, ...(await commands.problemsOf({ answers, frames }))]).toEqual([]);
});
