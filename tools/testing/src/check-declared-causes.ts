import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach } from "vitest";
import { undeclaredFile } from "./causes-files.js";
import { runContext } from "./run-context.js";

// A setup file of every test file: a test during which an operation of a service published an event that its
// declaration does not name fails, or an event without its facts. Work that a test started may publish later, and then
// fails the next test.
let known = 0;

function failOnUndeclared(): void {
  const file = join(runContext().folder, undeclaredFile);
  if (!existsSync(file)) return;
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  const found = lines.slice(known);
  known = lines.length;
  if (found.length > 0)
    throw new Error(`Published, but not declared as \`causes\`, or with wrong facts in headers:\n${found.join("\n")}`);
}
afterEach(failOnUndeclared);
afterAll(failOnUndeclared);
