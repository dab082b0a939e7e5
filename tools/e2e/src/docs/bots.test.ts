import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { createClient, type InteractionState, type InteractionsInvokeBody, type ParleyClient } from "@parley/client";
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

/** Runs a command that does not end by itself until it has written the expected lines, then ends it as Ctrl-C does. */
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

test("what docs/guides/first-bot.md says leads from nothing to a bot that answers, and its snippets do what they say", async () => {
  const page = await readFile(join(root, "docs", "guides", "first-bot.md"), "utf8");
  const blocks = [...page.matchAll(/```(?:sh|js)\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  expect(blocks).toHaveLength(14);
  const [start = "", install = "", setup = "", runSetup = "", bot = "", runBot = "", ask = "", ...further] = blocks;
  const [runAsk = "", runExample = "", ...snippets] = further;
  expect(start).toMatch(/^npm start /);
  expect(bot.trim().split("\n").length).toBeLessThanOrEqual(15);

  // Not from the registry: the same package, from where this repository has it.
  const fromHere = install.replace(/ ws$/m, ` ${join(root, "node_modules", "ws")}`);
  expect(fromHere).not.toBe(install);
  await run("sh", ["-ec", fromHere], { cwd: join(place, "parley"), env });
  const project = join(place, "my-bot");
  await writeFile(join(project, "setup.mjs"), setup.replaceAll("http://localhost:8080", stack.edgeUrl));
  const { stdout } = await run("sh", ["-ec", runSetup], { cwd: project, env });
  const ids = "BOT_TOKEN=(\\S+)\nSERVER_ID=(\\S+)\nCHANNEL_ID=(\\S+)\nFORBIDDEN=\\S+\n$";
  const [, token = "", serverId = "", channelId = ""] =
    new RegExp(`^PARLEY_URL=${stack.edgeUrl}\n${ids}`).exec(stdout) ?? [];

  const [copy = "", log = "", ...rest] = runExample.split("\n");
  expect(rest).toEqual([""]);
  await run("sh", ["-ec", copy], { cwd: project, env });
  await runUntil(log, project, (lines) => lines.some((line) => line.includes("Hello, bot")));

  await writeFile(join(project, "bot.mjs"), bot);
  await writeFile(join(project, "ask.mjs"), ask);
  let said = "";
  await runUntil(runBot.trim(), project, async (lines) => {
    if (!lines.some((line) => line.endsWith("Commands registered: roll"))) return false;
    said = (await run("sh", ["-ec", runAsk], { cwd: project, env })).stdout;
    return true;
  });
  expect(said).toMatch(/^\d+ of 20\n$/);
  const [guest, bots] = [
    createClient({ baseUrl: stack.edgeUrl }),
    createClient({ baseUrl: stack.edgeUrl, botToken: token }),
  ];
  await guest.register({ username: `u_${crypto.randomUUID().slice(0, 8)}`, password: "correct horse" });
  await guest.servers.join(serverId);

  // The snippets after it, as one bot.
  const names = ["button", "createBot", "createFileStore", "embed", "linkButton", "rows", "select"];
  const begin = bot.slice(0, bot.indexOf("const roll")).replace(/\{ .* \}/, `{ ${names.join(", ")} }`);
  const program = snippets.map((snippet) => `{\n${snippet}}\n`).join("");
  await writeFile(join(project, "apps.mjs"), `${begin}${program}await bot.run();\n`);
  await runUntil("node --env-file=.env apps.mjs", project, async (lines) => {
    if (!lines.some((line) => line.startsWith("Commands registered: opening, quote, "))) return false;
    await tryApps(guest, channelId, (await bots.users.me()).id);
    return true;
  });
});

/** Uses every command of the snippets. */
async function tryApps(guest: ParleyClient, channelId: string, botUserId: string): Promise<void> {
  const { bots } = await guest.commands.list(channelId);
  const commandIds = new Map(bots.flatMap(({ commands }) => commands).map(({ name, id }) => [name, id]));
  const invoke = async (body: InteractionsInvokeBody) => {
    const { id } = await guest.interactions.invoke(channelId, body);
    return waitUntil(async () => {
      const state = await guest.interactions.get(id);
      return state.state === "answered" ? state : null;
    }, patience);
  };
  const use = (name: string, fields: object = {}) =>
    invoke({ bot_user_id: botUserId, command_id: commandIds.get(name) ?? "", ...fields });
  const press = async ({ message }: InteractionState, custom_id: string, values: string[] = []) =>
    (await invoke({ message_id: message?.id ?? "", custom_id, values })).message?.content;

  const typed = await use("opening", { options: { name: "S" }, focused: "name", autocomplete: true });
  expect(typed.choices?.map(({ name }) => name)).toEqual(["Scotch", "Sicilian", "Slav"]);
  const opening = await use("opening", { options: { name: "Slav", side: "black" } });
  expect(opening.message).toMatchObject({ content: "Slav for black", ephemeral: true });
  const { id } = await guest.messages.send(channelId, { content: "e4" });
  expect((await use("quote", { target_id: id })).message?.embeds).toMatchObject([{ description: "e4" }]);
  const asked = await use("feedback");
  const handedIn = { interaction_id: asked.id, modal_id: asked.modal?.modal_id ?? "", fields: { text: "Good" } };
  expect((await invoke(handedIn)).message?.content).toMatch(/^u_\w+ says: Good$/);
  expect(await press(await use("deploy"), "yes")).toBe("Deployed");
  const vote = await use("vote");
  expect(await press(vote, "move", ["d4"])).toBe("e4 or d4? 1 voted");
  expect((await use("build")).message).toMatchObject({
    embeds: [{ title: "Build 412", fields: [{ name: "Time", value: "4 min", inline: true }] }],
    components: [[{ style: "link", label: "Open" }]],
  });
}

test("what docs/guides/first-bot.md says of incoming webhooks sends a message", async () => {
  const page = await readFile(join(root, "docs", "guides", "first-bot.md"), "utf8");
  const [, command = ""] = /```bash\n([\s\S]*?)```/.exec(page) ?? [];
  const owner = createClient({ baseUrl: stack.edgeUrl });
  await owner.register({ username: `u_${crypto.randomUUID().slice(0, 8)}`, password: "correct horse" });
  const server = await owner.servers.create({ name: "Chess club" });
  const channel = await owner.channels.create(server.id, { name: "general" });
  const hook = await owner.incomingWebhooks.create(server.id, { channel_id: channel.id, name: "Builds" });
  await run("sh", ["-ec", command], { env: { ...env, HOOK_ADDRESS: owner.resolve(hook.path) } });
  expect(await owner.messages.list(channel.id)).toMatchObject([{ content: "Deployed", embeds: [{ title: "v1.4" }] }]);
});
