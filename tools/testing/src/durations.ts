import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { TestModule } from "vitest/node";
import { z } from "zod";

/** Seconds of test files by their path from the repository's root. Files below a second are not in it. */
const file = fileURLToPath(new URL("../durations.json", import.meta.url));
const Durations = z.record(z.string(), z.number());

/** The recorded seconds of test files by their path from the repository's root. */
export function readDurations(): Record<string, number> {
  return existsSync(file) ? Durations.parse(JSON.parse(readFileSync(file, "utf8"))) : {};
}

/** Writes how long these files took; the others keep their recorded durations. */
export function recordDurations(modules: readonly TestModule[]): void {
  const durations = new Map(Object.entries(readDurations()));
  for (const module of modules) {
    const { duration, collectDuration, setupDuration } = module.diagnostic();
    const seconds = Math.round((duration + collectDuration + setupDuration) / 1_000);
    if (seconds >= 1) durations.set(module.relativeModuleId, seconds);
    else durations.delete(module.relativeModuleId);
  }
  const sorted = [...durations].sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}
