import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { runContext } from "@parley/testing";
import { expect } from "vitest";

const { root, folder: runFolder } = runContext();

/** Where the examples of the client are. */
export const examplesFolder = join(root, "packages", "client", "examples");

/**
 * Runs an example, in a folder of its own unless one is given; the lines that it writes appear in the array that is
 * returned, and those of its log in `log`.
 */
export function startExample(
  name: string,
  env: Record<string, string>,
  cwd = mkdtempSync(join(runFolder, "example-")),
) {
  const example = spawn(process.execPath, [join(examplesFolder, name)], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    cwd,
  });
  const exited = new Promise<void>((resolve) => example.once("close", () => resolve()));
  const lines: string[] = [];
  const log: string[] = [];
  createInterface({ input: example.stdout }).on("line", (line) => lines.push(line));
  createInterface({ input: example.stderr }).on("line", (line) => log.push(line));
  return {
    example,
    exited,
    lines,
    log,
    cwd,
    /** Ends it as a supervisor does, unless it has ended. */
    async stop() {
      if (example.exitCode !== null || example.signalCode !== null) return;
      example.kill("SIGTERM");
      await exited;
      expect(example.exitCode).toBe(0);
    },
  };
}
export type Example = ReturnType<typeof startExample>;
