import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { createClient } from "@parley/client";
import { runContext, type SharedStack, sharedStack, waitUntil } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";

const run = promisify(execFile);
const { root, folder } = runContext();
const patience = { timeoutMs: 20_000 };
let stack: SharedStack;
let place: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  stack = await sharedStack();
  place = await mkdtemp(join(folder, "bots-"));
  // A checkout, as far as the page uses it.
  await mkdir(join(place, "parley"));
  await symlink(join(root, "packages"), join(place, "parley", "packages"));
  const offline = { npm_config_offline: "true", npm_config_install_links: "true" };
  env = { PATH: process.env.PATH, HOME: process.env.HOME, ...offline };
});

/** Runs a command that does not end by itself until it has written what is expected, then ends it as Ctrl-C does. */
async function runUntil(command: string, cwd: string, expected: (lines: string[]) => boolean | Promise<boolean>) {
  const child = spawn("sh", ["-c", `exec ${command.replace(/\s*#.*/, "")} 2>&1`], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  try {
    await waitUntil(() => expected(lines), patience);
  } finally {
    child.kill("SIGINT");
  }
  // node --watch itself does not exit with 0.
  const code = await exited;
  if (!command.includes("--watch")) expect(code).toBe(0);
}

test("what docs/bots.md says leads from nothing to a bot that answers", async () => {
  const page = await readFile(join(root, "docs", "bots.md"), "utf8");
  const blocks = [...page.matchAll(/```(?:sh|js)\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  expect(blocks).toHaveLength(7);
  const [start = "", install = "", setup = "", runSetup = "", bot = "", runBot = "", runExample = ""] = blocks;
  expect(start).toMatch(/^npm start /);

  // Not from the registry: the same package, from where this repository has it.
  const fromHere = install.replace(/ ws$/m, ` ${join(root, "node_modules", "ws")}`);
  expect(fromHere).not.toBe(install);
  await run("sh", ["-ec", fromHere], { cwd: join(place, "parley"), env });
  const project = join(place, "my-bot");
  await writeFile(join(project, "setup.mjs"), setup.replaceAll("http://localhost:8080", stack.edgeUrl));
  const { stdout } = await run("sh", ["-ec", runSetup], { cwd: project, env });
  const settings = new RegExp(`^PARLEY_URL=${stack.edgeUrl}\nBOT_TOKEN=(\\S+)\nCHANNEL_ID=(\\S+)\nFORBIDDEN=\\S+\n$`);
  const [, token = "", channelId = ""] = settings.exec(stdout) ?? [];

  const [copy = "", log = "", ...rest] = runExample.split("\n");
  expect(rest).toEqual([""]);
  await run("sh", ["-ec", copy], { cwd: project, env });
  await runUntil(log, project, (lines) => lines.some((line) => line.includes("!echo Hello, bot")));
  await writeFile(join(project, "bot.mjs"), bot);

  const [server] = await createClient({ baseUrl: stack.edgeUrl, botToken: token }).servers.list();
  const guest = createClient({ baseUrl: stack.edgeUrl });
  await guest.register({ username: `u_${crypto.randomUUID().slice(0, 8)}`, password: "correct horse" });
  await guest.servers.join(server?.id ?? "");
  let isAsked = false;
  await runUntil(runBot.trim(), project, async (lines) => {
    if (!lines.some((line) => line.endsWith("Connected"))) return false;
    if (!isAsked) await guest.messages.send(channelId, { content: "!echo Is anybody there?" });
    isAsked = true;
    return (await guest.messages.list(channelId)).some(({ content }) => content === "Is anybody there?");
  });
}, 120_000);
