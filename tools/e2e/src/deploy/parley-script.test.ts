import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { runContext } from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { type ComposeFile, readCompose } from "./compose-file.js";
import { provideProgram, shellcheckProgram } from "./debian-program.js";

// deploy/parley without an engine; its effect on an installation is in ../containers/upgrade.test.ts.

const run = promisify(execFile);
const shellcheck = await provideProgram(shellcheckProgram);
const deploy = join(runContext().root, "deploy");
const script = join(deploy, "parley");
let text: string;
let compose: ComposeFile;

beforeAll(async () => {
  text = await readFile(join(deploy, "operations", "installation.sh"), "utf8");
  const folder = await mkdtemp(join(runContext().folder, "parley-script-"));
  const settings = join(folder, "env");
  await run(join(runContext().root, "deploy", "make-env.sh"), [settings]);
  const lines = (await readFile(settings, "utf8")).split("\n").filter((line) => /^\w+=/.test(line));
  const variables = Object.fromEntries(lines.map((line) => line.split("=", 2)));
  compose = await readCompose(join(runContext().root, "docker-compose.yml"), variables);
});

test("deploy/parley is a script of a POSIX shell", async () => {
  for (const file of await scripts()) await run("sh", ["-n", file]);
});

test("replaces every service of docker-compose.yml that is built here, and knows every server", () => {
  const lasting = ({ profiles, restart, build }: ComposeFile["services"][string]) =>
    profiles.length === 0 && (build !== undefined || restart !== "no");
  const all = Object.entries(compose.services).filter(([, each]) => lasting(each));
  const names = (isWanted: (service: ComposeFile["services"][string]) => boolean) =>
    all.filter(([, service]) => isWanted(service)).map(([name]) => name);
  const built = names(({ build }) => build !== undefined);
  expect([...listed("services"), "migrate"].toSorted()).toEqual(built.toSorted());
  expect(listed("servers").toSorted()).toEqual(names(({ build }) => build === undefined).toSorted());
});

test("refuses what it does not know with its usage, and does nothing", async () => {
  const usage = /^deploy\/parley install [\s\S]+\ndeploy\/parley admin add <name> .*\n$/;
  const refused = [
    [],
    ["upgrade"],
    ["upgrade", "a b"],
    ["upgrade", "../x"],
    ["upgrade", "-x"],
    ["apply", "now"],
    ["admin", "add"],
    ["admin", "add", "a'b"],
    ["backup", "--keep", "0"],
    ["restore"],
    ["apply", "--run"],
    ["apply", "--other"],
    ["other"],
  ];
  for (const args of refused) {
    await expect(run(script, args)).rejects.toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(usage),
    });
  }
});

describe.skipIf(shellcheck === null)("shellcheck", () => {
  test("finds nothing in the scripts of deploy", async () => {
    const files = ["-x", join(deploy, "make-env.sh"), join(deploy, "with-secrets.sh"), ...(await scripts())];
    expect((await run(shellcheck ?? "", files, { cwd: runContext().root })).stdout).toBe("");
  });
});

async function scripts(): Promise<string[]> {
  const found = await Promise.all(["operations", "image"].map((name) => readdir(join(deploy, name))));
  const [operations = [], image = []] = found.map((names) => names.filter((name) => name.endsWith(".sh")));
  return [
    script,
    ...operations.map((name) => join(deploy, "operations", name)),
    ...image.map((name) => join(deploy, "image", name)),
  ];
}

/** The names of a list at the beginning of the script. */
function listed(variable: string): string[] {
  const [, value = ""] = new RegExp(`^${variable}="?([^"\n]+)"?$`, "m").exec(text) ?? [];
  return value.split(" ");
}
