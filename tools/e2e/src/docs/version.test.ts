import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const versionOf = (manifest: string) => z.object({ version: z.string() }).parse(JSON.parse(read(manifest))).version;
const version = versionOf("package.json");

test("packages, chart and changelog have the version of the root", () => {
  const manifests = execFileSync("git", ["ls-files", "*package.json"], { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((file) => /^(?:packages|services|tools)\/[\w-]+\/package\.json$/.test(file));
  expect(manifests.length).toBeGreaterThan(20);
  expect(manifests.filter((file) => versionOf(file) !== version)).toEqual([]);
  const chart = read("deploy/helm/parley/Chart.yaml");
  expect(/^version: (.+)$/m.exec(chart)?.[1]).toBe(version);
  expect(/^appVersion: "(.+)"$/m.exec(chart)?.[1]).toBe(version);
  expect(/^## (\d+\.\d+\.\d+)/m.exec(read("CHANGELOG.md"))?.[1]).toBe(version);
});
