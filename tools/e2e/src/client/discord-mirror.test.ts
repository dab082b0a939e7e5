import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  postMessage,
  type StackWithDiscord,
  sharedStackWithDiscord,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { zipOf } from "@parley/testing/zips";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { snowflake } from "../api/discord/discord-socket.js";
import { createAdminStage, runSql } from "../api/stages/admin-stage.js";
import { createAppStage } from "../api/stages/app-stage.js";
import { importArchive } from "../api/stages/import-stage.js";
import { startExample } from "./example-process.js";

let stack: StackWithDiscord;
let admin: UserClient;
beforeAll(async () => {
  stack = await sharedStackWithDiscord();
  ({ admin } = await createAdminStage(stack));
});

const patience = { timeoutMs: 45_000 };
const file = "parley-mirror.jsonl";

/** The texts of a channel, oldest first. */
async function textsOf(channelId: string) {
  const rows = await runSql(
    stack.databaseUrl,
    "SELECT content FROM messages WHERE channel_id = $1 AND NOT deleted ORDER BY id",
    [channelId],
  );
  return z
    .array(z.object({ content: z.string() }))
    .parse(rows)
    .map(({ content }) => content);
}

/** Two servers of the stack, one of them as Discord's, with a mirror between their channels. */
async function createMirror() {
  const [there, here] = await Promise.all([createAppStage(stack.edgeUrl, []), createAppStage(stack.edgeUrl, [])]);
  const env = {
    PARLEY_URL: stack.edgeUrl,
    BOT_TOKEN: here.bot.token,
    DISCORD_TOKEN: there.bot.token,
    DISCORD_API: `${stack.edgeUrl}/discord/api`,
    CHANNELS: `${snowflake(there.channelId)}:${here.channelId}`,
  };
  return { there, here, run: (cwd?: string) => startExample("discord-mirror.mjs", env, cwd) };
}

const lineOf = z.object({
  from: z.string(),
  discord: z.object({ channel: z.string(), message: z.string() }),
  parley: z.object({ channel: z.string(), message: z.string() }),
});
/** The copies that a mirror has made. */
const copiesIn = (cwd: string) =>
  existsSync(join(cwd, file))
    ? readFileSync(join(cwd, file), "utf8")
        .trim()
        .split("\n")
        .map((line) => lineOf.parse(JSON.parse(line)))
    : [];

test("the mirror copies both ways, nothing twice, and what it has copied is one with an archive of the same", async () => {
  const { there, here, run } = await createMirror();
  const [ada, bea] = [there.member.user.username, here.member.user.username];
  const mirror = run();
  await waitUntil(() => mirror.log.includes("Connected"), patience);
  const long = "x".repeat(2_500);
  const fromHere = await postMessage(here.member, here.channelId, long);
  await waitUntil(() => copiesIn(mirror.cwd).length === 2, patience);
  await postMessage(there.member, there.channelId, "one");
  await waitUntil(() => copiesIn(mirror.cwd).length === 3, patience);
  mirror.example.kill("SIGKILL");
  await mirror.exited;
  await postMessage(there.member, there.channelId, "two");
  await waitUntil(async () => (await textsOf(there.channelId)).length === 4, patience);
  const again = run(mirror.cwd);
  await waitUntil(() => copiesIn(mirror.cwd).length === 4, patience);
  await again.stop();
  const written = `**${bea}**: ${long}`;
  expect(await textsOf(there.channelId)).toEqual([written.slice(0, 2_000), written.slice(2_000), "one", "two"]);
  expect(await textsOf(here.channelId)).toEqual([long, `**${ada}**: one`, `**${ada}**: two`]);

  const copies = copiesIn(mirror.cwd);
  const person = { id: snowflake(there.member.user.id), name: ada, nickname: "Ada of there", isBot: false };
  const bot = { id: snowflake(there.bot.userId), name: "Chess", nickname: "Chess", isBot: true };
  const message = (id: string, timestamp: string, content: string, author: object) => ({
    ...{ id, type: "Default", timestamp, timestampEdited: null, isPinned: false, content, author },
  });
  const now = new Date().toISOString();
  const contents = [written.slice(0, 2_000), written.slice(2_000), "one", "two"];
  const archived = {
    guild: { id: snowflake(there.serverId), name: "There" },
    channel: { id: snowflake(there.channelId), type: "GuildTextChat", name: "general" },
    exportedAt: now,
    messages: [
      message("1067000000000000000", "2023-01-23T09:00:00.000Z", "before the mirror", person),
      ...copies.map(({ discord }, at) => message(discord.message, now, contents[at] ?? "", at < 2 ? bot : person)),
      message("1900000000000000000", now, "after the mirror", person),
    ],
  };
  const archive = zipOf([
    { name: "There/general.json", bytes: JSON.stringify(archived) },
    { name: `There/${file}`, bytes: readFileSync(join(mirror.cwd, file)) },
  ]);
  const history = ["before the mirror", long, "one", "two", "after the mirror"];
  const options = { into: here.serverId, visible: "all" };
  const { id } = await importArchive(admin, archive, options);
  expect(await textsOf(here.channelId)).toEqual(history);
  const authors = await runSql(
    stack.databaseUrl,
    `SELECT u.display_name AS name, u.imported, u.id FROM messages m JOIN users u ON u.id = m.author_id
      WHERE m.channel_id = $1 ORDER BY m.id`,
    [here.channelId],
  );
  const imported = expect.objectContaining({ name: "Ada of there", imported: true });
  const own = expect.objectContaining({ id: here.member.user.id, imported: false });
  expect(authors).toEqual([imported, own, imported, imported, imported]);
  // Nobody has written to another channel, and a second run adds nothing.
  const channels = await runSql(stack.databaseUrl, "SELECT name FROM channels WHERE server_id = $1", [here.serverId]);
  expect(channels).toHaveLength(1);
  await importArchive(admin, archive, options);
  expect(await textsOf(here.channelId)).toEqual(history);
  // What was here before the import stays when it is taken back.
  expect((await admin.delete(`/admin/imports/${id}`)).status).toBe(202);
  await waitUntil(async () => (await textsOf(here.channelId)).length === 3, patience);
  expect(await textsOf(here.channelId)).toEqual([long, "one", "two"]);
  expect(fromHere.id).toBe(copies[0]?.parley.message);
});
