import type { Page } from "@parley/testing";
import axe from "axe-core";
import { expect } from "vitest";

/** The rules whose outcome depends on the colours. */
const colorRules = ["color-contrast", "link-in-text-block"];

/**
 * The findings of axe that keep people from using a page, as `serious rule: element`.
 *
 * @param elsewhere selector of a part of the page that axe skips
 */
export async function barriers(page: Page, elsewhere?: string): Promise<string[]> {
  const found = await findings(page, elsewhere === undefined ? {} : { elsewhere });
  return found.filter((finding) => /^(?:serious|critical) /.test(finding));
}

/** All findings of axe on a page of the application, in dark and in light colours, once its content is loaded. */
export async function findingsInBothSchemes(page: Page): Promise<string[]> {
  await expect.poll(() => page.locator("[data-loading]").count()).toBe(0);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await findings(page, {});
  await page.emulateMedia({ colorScheme: "light" });
  const light = await findings(page, { rules: colorRules });
  return [...dark.map((finding) => `dark: ${finding}`), ...light.map((finding) => `light: ${finding}`)];
}

/** The findings of axe, each with its impact; by all rules, unless some are named. */
async function findings(
  page: Page,
  { elsewhere = "[hidden]", rules }: { elsewhere?: string; rules?: readonly string[] },
): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe.source);
  const options = { resultTypes: ["violations"], ...(rules === undefined ? {} : { runOnly: rules }) };
  return await page.evaluate(`(async () => {
    await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)));
    const { violations } = await axe.run({ exclude: [[${JSON.stringify(elsewhere)}]] }, ${JSON.stringify(options)});
    // Menus and popovers stand above the page, in none of its landmarks.
    const isAbove = (id, html) => id === "region" && html.startsWith("<div data-radix-popper-co");
    return violations.flatMap(({ id, impact, nodes }) =>
      nodes.filter(({ html }) => !isAbove(id, html)).map(({ html, any }) => impact + " " + id + ": " + html.slice(0, 200) + " " + (any[0]?.message ?? "")));
  })()`);
}
