import type { Page } from "@parley/testing";
import axe from "axe-core";

/**
 * What axe finds that keeps people from using the page, as `rule: element`.
 *
 * @param elsewhere selector of a part of the page that is not asked about; nothing by default
 */
export async function barriers(page: Page, elsewhere = "[hidden]"): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe.source);
  return await page.evaluate(`(async () => {
    await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)));
    const { violations } = await axe.run({ exclude: [[${JSON.stringify(elsewhere)}]] }, { resultTypes: ["violations"] });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.map(({ html, any }) => id + ": " + html.slice(0, 200) + " " + (any[0]?.message ?? "")));
  })()`);
}
