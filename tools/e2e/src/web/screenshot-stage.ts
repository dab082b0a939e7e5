import { execFile } from "node:child_process";
import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Page, runContext } from "@parley/testing";
import { expect } from "vitest";

const sizeMax = 200 * 1_024;
export const telephone = { width: 390, height: 780 };
/** Asked for, they replace those of the documentation. */
const isForDocs = process.env.UPDATE_SCREENSHOTS === "1";

/** Takes a picture of a page, named without its extension. */
export async function take(page: Page, name: string): Promise<void> {
  const { root, folder: ofRun } = runContext();
  const folder = isForDocs ? join(root, "docs", "screenshots") : join(ofRun, "screenshots");
  await mkdir(folder, { recursive: true });
  await page.evaluate("document.fonts.ready.then(() => undefined)");
  const file = join(folder, `${name}.png`);
  await page.screenshot({ path: file, animations: "disabled" });
  expect((await stat(file)).size).toBeLessThan(sizeMax);
  // A palette of 256 colours makes a third of it, and the difference is not seen.
  if (isForDocs) await promisify(execFile)("pngquant", ["--strip", "--speed", "1", "--force", "--ext", ".png", file]);
}
