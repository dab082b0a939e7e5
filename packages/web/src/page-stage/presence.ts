import { type Locator, page } from "vitest/browser";

// The absence of an element means something only if it was there before, or if the page has no request under way.

const acts = ["click", "dblClick", "tripleClick", "hover", "fill", "clear", "selectOptions", "upload", "dropTo"];
let found = new Set<string>();
let isSettled = false;

/** Remembers the elements that the locators of a test find and act on; to be called once, before the first test. */
export function rememberPresence(): void {
  const locators = Object.getPrototypeOf(page.getByCss("body"));
  remember(locators, "elements", (elements) => Array.isArray(elements) && elements.length > 0);
  remember(locators, "query", (element) => element !== null);
  for (const act of acts) {
    remember(locators, act, () => {
      isSettled = false;
      return true;
    });
  }
}

function remember(locators: object, method: string, hasFound: (result: unknown) => boolean): void {
  const original: unknown = Reflect.get(locators, method);
  if (typeof original !== "function") throw new Error(`A locator has no ${method}.`);
  Reflect.set(locators, method, function (this: Locator, ...args: unknown[]) {
    const result: unknown = Reflect.apply(original, this, args);
    if (hasFound(result)) found.add(this.selector);
    return result;
  });
}

/** The page begins anew: nothing has been on it. */
export function forgetPresence(): void {
  found = new Set();
  isSettled = false;
}

/** Nothing of the page is on its way, or something is again: an event, or another address. */
export function setSettled(is: boolean): void {
  isSettled = is;
}

/**
 * @throws where neither the locator, or something within it, was found on this page before, nor the page has settled since
 *   the last action of the test: its absence would then say nothing
 */
export function expectPresenceBefore({ selector }: Locator): void {
  if (isSettled || [...found].some((other) => other === selector || other.startsWith(`${selector} >> `))) return;
  throw new Error(`${selector} was never on the page, and the page has not settled: that it is gone says nothing.`);
}
