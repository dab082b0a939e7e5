import { execFile, spawn } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient, type ParleyClient } from "@parley/client";
import { runContext, type SharedStack, sharedStack, waitUntil } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { compileStrictly, installPackedClient, platformOnly } from "./packed-client.js";

/** Programs that the types accept, and that they refuse. */
const typedProgram = `
  import { createClient, ParleyError, Permission, verifyWebhook, type Message } from "@parley/client";
  const client = createClient({ baseUrl: "http://localhost" });
  const gateway = client.gateway({ events: ["MESSAGE_CREATE"] });
  gateway.on("MESSAGE_CREATE", (message: Message) => message.content.length);
  // @ts-expect-error no such event
  gateway.on("MESSAGE_CREATED", () => undefined);
  // @ts-expect-error the content is a text
  export const wrong = client.messages.send("id", { content: 5 });
  export const right: Promise<Message> = client.messages.send("id", { content: "Hello" }, { deadlineMs: 5_000 });

  client.moderation.timeout("s", "u", { duration_minutes: 10 });
  // @ts-expect-error the duration is missing
  client.moderation.timeout("s", "u");
  // @ts-expect-error the duration is a number
  client.moderation.timeout("s", "u", { duration_minutes: "ten" });
  client.messages.list("c", { include: "reactions,attachments" });
  // @ts-expect-error nothing of that name is included
  client.messages.list("c", { include: "reaction" });
  client.roles.create("s", { name: "Moderator", permissions: Permission.MANAGE_MESSAGES | Permission.MUTE_MEMBERS });
  // @ts-expect-error no such permission
  Permission.MANAGE_EVERYTHING;
  client.pages.messages("c", { after: "m", include: "attachments" }, { signal: AbortSignal.timeout(1) });
  for await (const entry of client.pages.auditLog("s", { action: "role_create" })) entry.actor_id;
  for await (const reply of client.pages.threads("c", "m")) reply.content.length;

  export async function receive(headers: Record<string, string | string[] | undefined>, body: Uint8Array) {
    const delivered = await verifyWebhook({ secret: "", headers, body });
    if (delivered.event === "message.created") return delivered.data.content;
    if (delivered.event === "message.deleted") return delivered.data.channel_id;
    // @ts-expect-error a ping has no content
    if (delivered.event === "ping") return delivered.data.content;
    return await verifyWebhook({ secret: "", headers: new Headers(), body: "" });
  }
  // The platform's Error is not hidden by a type of the client.
  export const error: Error = new ParleyError({ status: 0, code: "unknown", text: "" });
  export const path: string | null = new ParleyError({ status: 0, code: "unknown", text: "" }).path;
`;

const run = promisify(execFile);
const { root } = runContext();
let stack: SharedStack;
let owner: ParleyClient;
let project: string;
let botToken: string;

beforeAll(async () => {
  stack = await sharedStack();
  owner = createClient({ baseUrl: stack.edgeUrl });
  await owner.register({ username: `u_${crypto.randomUUID().slice(0, 8)}`, password: "correct horse" });
  const server = await owner.servers.create({ name: "Packed", is_public: true });
  await owner.channels.create(server.id, { name: "general" });
  botToken = (await owner.bots.create({ name: "Packed" })).token;
  await createClient({ baseUrl: stack.edgeUrl, botToken }).servers.join(server.id);
  project = await installPackedClient(`${stack.edgeUrl}/docs/parley-client.tgz`);
});

test("the packed client works in an empty project of Node.js", async () => {
  const program = `
    import { createClient } from "@parley/client";
    const client = createClient({ baseUrl: process.env.PARLEY_URL, botToken: process.env.BOT_TOKEN });
    const [server] = await client.servers.list();
    const [channel] = await client.channels.list(server.id);
    const gateway = client.gateway();
    const heard = new Promise((resolve) => gateway.on("MESSAGE_CREATE", resolve));
    await gateway.connect();
    await client.messages.send(channel.id, { content: "Hello from a package" });
    console.log((await heard).content);
    gateway.close();
  `;
  await writeFile(join(project, "index.mjs"), program);
  const env = { PATH: process.env.PATH, PARLEY_URL: stack.edgeUrl, BOT_TOKEN: botToken };
  const { stdout } = await run(process.execPath, ["index.mjs"], { cwd: project, env, timeout: 170_000 });
  expect(stdout.trim()).toBe("Hello from a package");
});

test("the package that a server offers is the same bytes however often it is packed and asked for", async () => {
  const address = `${stack.edgeUrl}/api/docs/parley-client.tgz`;
  const answer = await fetch(address);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/gzip"]);
  expect(answer.headers.get("cache-control")).toBe("no-cache");
  // Answered by any of the apis.
  const etag = answer.headers.get("etag") ?? "";
  for (const { url } of stack.apis) {
    const again = await fetch(`${url}/docs/parley-client.tgz`, {
      headers: { "if-none-match": etag, "cache-control": "max-age=0" },
    });
    expect(again.status).toBe(304);
  }
  const served = Buffer.from(await answer.arrayBuffer());
  await run("npm", ["pack", "--pack-destination", project], { cwd: join(root, "packages", "client") });
  const [archive = ""] = (await readdir(project)).filter((name) => name.endsWith(".tgz"));
  expect((await readFile(join(project, archive))).equals(served)).toBe(true);
});

test("the example in TypeScript compiles in a strict project, and waits for the answer to its question", async () => {
  const [server] = await createClient({ baseUrl: stack.edgeUrl, botToken }).servers.list();
  const [channel] = await owner.channels.list(server?.id ?? "");
  const source = join(project, "node_modules", "@parley", "client", "examples", "quiz-bot.mts");
  await writeFile(join(project, "quiz-bot.mts"), await readFile(source, "utf8"));
  const types = ["--types", "node", "--typeRoots", join(root, "node_modules", "@types")];
  expect(await compileStrictly(project, "quiz-bot.mts", types)).toBe("");
  const env = { PATH: process.env.PATH, PARLEY_URL: stack.edgeUrl, BOT_TOKEN: botToken };
  const bot = spawn(process.execPath, ["quiz-bot.mjs"], { cwd: project, env, stdio: ["ignore", "inherit", "pipe"] });
  try {
    await new Promise((resolve) => bot.stderr.once("data", resolve));
    const has = (content: string) =>
      waitUntil(async () =>
        (await owner.messages.list(channel?.id ?? "")).some((message) => message.content === content),
      );
    await owner.messages.send(channel?.id ?? "", { content: "!quiz 20 22" });
    await has("How much is 20 + 22?");
    await owner.messages.send(channel?.id ?? "", { content: "42" });
    await has(`@${(await owner.users.me()).username} knows it.`);
  } finally {
    bot.kill("SIGTERM");
  }
});

test("it brings types that hold in a strict project, nothing of this workspace, and no dependency", async () => {
  const installed = join(project, "node_modules", "@parley", "client");
  const manifest: unknown = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  expect(manifest).not.toHaveProperty("dependencies");
  const files = await readdir(installed, { recursive: true });
  expect(files).toContain(join("dist", "parley-client.min.js"));
  expect(files).toContain(join("examples", "echo-bot.mjs"));
  expect(files.filter((name) => /^src|\.test\.|generate|\.map$/.test(name) && !name.startsWith("dist"))).toEqual([]);
  for (const name of files.filter((file) => /\.(js|d\.ts)$/.test(file))) {
    const text = await readFile(join(installed, name), "utf8");
    expect([name, /from "@parley\/|from "zod|from "node:/.test(text)]).toEqual([name, false]);
  }
  await mkdir(join(project, "types"));
  await writeFile(join(project, "types", "index.mts"), typedProgram);
  expect(await compileStrictly(project, "types/index.mts", platformOnly)).toBe("");
});
