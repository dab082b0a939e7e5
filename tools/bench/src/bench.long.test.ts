import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { benchNames as names } from "./bench.js";

const program = join(import.meta.dirname, "..", "dist", "main.js");
/** `load` needs an installation: load.long.test.ts. `all` runs the others. */
const ownTest = ["all", "load"];

function run(...args: string[]) {
  return new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile(process.execPath, [program, ...args], (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, output: stdout + stderr });
    });
  });
}

test.each(names.filter((name) => !ownTest.includes(name)))(
  "bench %s counts all that it sends, and prints a number wherever there should be one",
  { timeout: 900_000 },
  async (name) => {
    const { code, output } = await run(name, "--quick");
    expect(output).toMatch(/\d/);
    expect(output).not.toMatch(/NaN|Infinity|undefined|WRONG/);
    expect(code).toBe(0);
  },
);

test("an option that a benchmark does not have is refused, with those that it has", async () => {
  const { code, output } = await run("search", "--message=5", "--searches=");
  expect(output).toContain("Unknown: --message=5, --searches=. It takes --quick, --messages=1000000, --searches=40");
  expect(code).toBe(1);
});
