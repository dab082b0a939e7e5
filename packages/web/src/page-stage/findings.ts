import axe from "axe-core";
import { expect } from "vitest";
import { commands } from "vitest/browser";

/** The rules whose outcome depends on the colours. */
const colorRules = ["color-contrast", "link-in-text-block"];

/**
 * All findings of axe on the page in dark and in light colours, once its content is loaded; each finding with its
 * impact. The page is light afterwards.
 */
export async function findingsInBothSchemes(): Promise<string[]> {
  await expect.poll(() => document.querySelector("[data-loading]")).toBeNull();
  await commands.emulateMedia({ colorScheme: "dark" });
  const dark = await findings();
  await commands.emulateMedia({ colorScheme: "light" });
  const light = await findings(colorRules);
  return [...dark.map((finding) => `dark: ${finding}`), ...light.map((finding) => `light: ${finding}`)];
}

/** The findings of axe by these rules, by all rules without any. */
async function findings(rules?: string[]): Promise<string[]> {
  await Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined)));
  const { violations } = await axe.run(
    { exclude: [["[hidden]"]] },
    { resultTypes: ["violations"], ...(rules === undefined ? {} : { runOnly: rules }) },
  );
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes
      .filter(({ target }) => !isAbove(id, String(target)))
      .map(({ html, any }) => `${impact} ${id}: ${html.slice(0, 200)} ${any[0]?.message ?? ""}`),
  );
}

/** Menus and popovers stand above the page, in none of its landmarks. */
const isAbove = (id: string, selector: string) =>
  id === "region" && Boolean(document.querySelector(selector)?.closest("[data-radix-popper-content-wrapper]"));
