import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runContext } from "@parley/testing";

/** The text of deploy/README.md. */
function readRunbook(): Promise<string> {
  return readFile(join(runContext().root, "deploy", "README.md"), "utf8");
}

/** The commands of deploy/README.md that look into a container which every installation has. */
export async function runbookLooks(): Promise<string[]> {
  const found = (await readRunbook()).matchAll(/docker compose exec ((?:postgres|redis|nats|api|gateway) [^`\n]+)/g);
  return [...found].map(([, command = ""]) => `docker compose exec -T ${command}`);
}
