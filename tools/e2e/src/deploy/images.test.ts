import { readdir, readFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { dirname, join, relative } from "node:path";
import { serviceNames } from "@parley/local-stack";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { instructionsOf, parseDockerfile, type Stage } from "./dockerfile.js";

const root = join(import.meta.dirname, "..", "..", "..", "..");
let dockerfile: string;
let stages: Stage[];

beforeAll(async () => {
  dockerfile = await readFile(join(root, "deploy", "Dockerfile"), "utf8");
  stages = parseDockerfile(dockerfile);
});

describe("the Dockerfile", () => {
  test("the Dockerfile runs as a user without rights, stops on SIGTERM and names its base so that a digest can be added", () => {
    const keywords = instructionsOf(stages, "service");
    expect(keywords).toContainEqual({ keyword: "USER", text: "node" });
    expect(keywords).toContainEqual({ keyword: "STOPSIGNAL", text: "SIGTERM" });
    expect(instructionsOf(stages, "")[0]?.text).toMatch(/^NODE_IMAGE=node:\d+\.\d+\.\d+-\w+-slim$/);
    expect(stages.at(-1)?.name).toBe("service");
  });

  test("the Dockerfile asks no registry for a frontend, and leaves the program to root", () => {
    expect(dockerfile).not.toMatch(/^# *syntax=/m);
    const keywords = instructionsOf(stages, "service").map(({ keyword }) => keyword);
    expect(keywords.indexOf("WORKDIR")).toBeLessThan(keywords.indexOf("USER"));
  });
});

const Manifest = z.object({
  files: z.array(z.string()).default([]),
  dependencies: z.record(z.string(), z.string()).default({}),
});
const imported = /^(?:import|export) (?:[\w*{},$\s]+ from )?"([^"./][^"]*)";$|\bimport\("([^"./][^"]*)"\)/gm;
const read = /new URL\([`"](\.\.?\/[^`"$]*)/g;
const packageOf = (specifier: string) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? "";

/** A service, and the packages of ours that it installs, as folders. */
async function foldersOf(folder: string, seen = new Set<string>()): Promise<ReadonlySet<string>> {
  seen.add(folder);
  const { dependencies } = await manifestOf(folder);
  for (const name of Object.keys(dependencies)) {
    const next = join("packages", name.replace("@parley/", ""));
    if (name.startsWith("@parley/") && !seen.has(next)) await foldersOf(next, seen);
  }
  return seen;
}

const manifestOf = async (folder: string) =>
  Manifest.parse(JSON.parse(await readFile(join(root, folder, "package.json"), "utf8")));

test.each(serviceNames)(
  "the image of %s installs every module that it imports, and has every file that it reads",
  async (name) => {
    const missing: string[] = [];
    for (const folder of await foldersOf(join("services", name))) {
      const { dependencies, files } = await manifestOf(folder);
      // Files without modules.
      if (!files.includes("dist")) continue;
      const built = await readdir(join(root, folder, "dist"), { recursive: true });
      const modules = built.filter((file) => file.endsWith(".js") && !file.includes(".test."));
      expect(modules, folder).not.toEqual([]);
      for (const module of modules) {
        const path = join(root, folder, "dist", module);
        const text = await readFile(path, "utf8");
        for (const [, statement, call] of text.matchAll(imported)) {
          const needed = packageOf(statement ?? call ?? "");
          if (needed.startsWith("node:") || builtinModules.includes(needed)) continue;
          if (!(needed in dependencies)) missing.push(`${folder}/dist/${module} imports ${needed}`);
        }
        for (const [, address = ""] of text.matchAll(read)) {
          const [top = ""] = relative(join(root, folder), join(dirname(path), address)).split("/");
          // The Dockerfile copies the migrations; every package has its manifest.
          if (top === ".." || top === "package.json") continue;
          if (!files.includes(top)) missing.push(`${folder}/dist/${module} reads ${address}`);
        }
      }
    }
    expect(missing).toEqual([]);
  },
);

test("the monitors, which the image of the gateway carries, import what the gateway installs and overwrite no file of it", async () => {
  const [monitors, gateway] = [join("services", "monitors"), join("services", "gateway")];
  expect((await manifestOf(gateway)).dependencies).toMatchObject((await manifestOf(monitors)).dependencies);
  const own = await readdir(join(root, gateway, "src"));
  expect((await readdir(join(root, monitors, "src"))).filter((name) => own.includes(name))).toEqual([]);
  expect(await readFile(join(root, "deploy", "image", "assemble.sh"), "utf8")).toContain("services/monitors/dist/.");
});
