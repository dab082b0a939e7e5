import type { Page } from "@parley/testing";
import { expect } from "vitest";

// The absence of an element means something only if it was on the page before, or beside an element that comes with it
// or later. The same rule of page tests: packages/web/src/page-stage/presence.ts.

type Locator = ReturnType<Page["locator"]>;

const acts = ["click", "dblclick", "hover", "fill", "check", "uncheck", "press", "selectOption", "inputValue"];
const found = new WeakMap<Page, Set<string>>();
let isPatched = false;

/** Remembers the elements that tests find on a page, until it is loaded again; to be called before its first load. */
export function rememberPresence(page: Page): void {
  if (!isPatched) patch(Object.getPrototypeOf(page.locator("body")));
  isPatched = true;
  const forget = () => void found.set(page, new Set());
  forget();
  page.on("domcontentloaded", forget);
}

function patch(locators: object): void {
  for (const act of acts) remember(locators, act, () => true);
  remember(locators, "waitFor", (_, [options]) => !/hidden|detached/.test(JSON.stringify(options ?? "")));
  remember(locators, "count", (count) => Number(count) > 0);
  remember(locators, "boundingBox", (box) => box !== null);
}

function remember(locators: object, method: string, hasFound: (result: unknown, args: unknown[]) => boolean): void {
  const original: unknown = Reflect.get(locators, method);
  if (typeof original !== "function") throw new Error(`A locator has no ${method}.`);
  Reflect.set(locators, method, async function (this: Locator, ...args: unknown[]) {
    const result: unknown = await Reflect.apply(original, this, args);
    if (hasFound(result, args)) found.get(this.page())?.add(String(this));
    return result;
  });
}

/** @throws where neither a locator, nor something within it, was found on its page before: its absence would say nothing */
export function expectPresenceBefore(locator: Locator): void {
  const name = String(locator);
  const isKnown = [...(found.get(locator.page()) ?? [])].some(
    (other) => other === name || other.startsWith(`${name}.`),
  );
  if (!isKnown) throw new Error(`${name} was never on the page: that it is gone says nothing.`);
}

/**
 * Waits until `beside` is on the page, and checks that the other element, which was never to be there, is not.
 *
 * @param beside an element that comes at the same time or later
 */
export async function absentBeside(locator: Locator, beside: Locator): Promise<void> {
  await beside.first().waitFor();
  await expect.poll(() => locator.count(), { message: `no ${locator}` }).toBe(0);
}
