import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runContext } from "@parley/testing";

/** The text of the pages for operators. */
async function readPages(): Promise<string> {
  const folder = join(runContext().root, "deploy");
  const pages = ["install.md", "runbook.md", "sizing.md", "UPGRADING.md"];
  return (await Promise.all(pages.map((page) => readFile(join(folder, page), "utf8")))).join("\n");
}

/** The commands of the pages for operators that look into a container which every installation has. */
export async function runbookLooks(): Promise<string[]> {
  const found = (await readPages()).matchAll(/docker compose exec ((?:postgres|redis|nats|api|gateway) [^`\n]+)/g);
  return [...found].map(([, command = ""]) => `docker compose exec -T ${command}`);
}
