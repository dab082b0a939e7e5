import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { bench, benchNames } from "../bench.js";
import { compareReports } from "../compare.js";
import { report, reportHead, reportRow } from "../measure.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const run = promisify(execFile);
/** `load` needs an installation. */
const names = benchNames.filter((name) => name !== "all" && name !== "load");

/**
 * Every benchmark, or those that the words name, in this tree and right before in the version of a commit, which another word
 * names: one table with ratios.
 */
export default bench({ sizes: { quick: 0 }, quick: { quick: 1 }, words: true }, async ({ quick }, words) => {
  const chosen = names.filter((name) => words.includes(name));
  const others = words.filter((word) => !names.includes(word));
  const [commit] = others;
  if (commit === undefined || others.length > 1) {
    report(`Usage: npm run bench -- all <commit> [<name> …], where <name> is one of: ${names.join(", ")}`);
    process.exitCode = 1;
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"));
  try {
    const archive = join(folder, "then.tar");
    await run("git", ["archive", `--output=${archive}`, commit], { cwd: root });
    await run("tar", ["--extract", `--file=${archive}`, `--directory=${folder}`]);
    // Installs and builds it.
    await run(process.execPath, ["tools/local-stack/bootstrap.mjs", "bench", "--help"], { cwd: folder });
    reportHead(["Benchmark", "Now", `In times of ${commit}`]);
    for (const name of chosen.length > 0 ? chosen : names) {
      const args = quick > 0 ? [name, "--quick"] : [name];
      const then = await reportOf(folder, args);
      for (const { line, ratios } of compareReports(await reportOf(root, args), then)) {
        reportRow([name, line.replaceAll("|", "·"), ratios?.join(", ") ?? "new"]);
      }
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** Runs a benchmark of a tree. @returns the lines of its report */
async function reportOf(tree: string, args: readonly string[]): Promise<string[]> {
  const program = ["tools/bench/dist/main.js", ...args];
  const child = spawn(process.execPath, program, { cwd: tree, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  for await (const part of child.stdout.setEncoding("utf8")) text += part;
  return text.split("\n").filter((line) => line !== "");
}
