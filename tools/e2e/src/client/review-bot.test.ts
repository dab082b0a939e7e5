import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createClient, type ParleyClient } from "@parley/client";
import type { rightBits } from "@parley/contracts";
import { runContext, sharedStack, waitUntil } from "@parley/testing";
import { expect, test } from "vitest";

const patience = { timeoutMs: 45_000 };
const { root, folder } = runContext();

test("the review bot times out whom enough members report, longer after the first time, and closes with a note", async () => {
  const { edgeUrl: baseUrl } = await sharedStack();
  const newcomer = async (): Promise<ParleyClient> => {
    const client = createClient({ baseUrl });
    await client.register({ username: `u_${crypto.randomUUID().slice(0, 8)}`, password: "correct horse" });
    return client;
  };
  const owner = await newcomer();
  const { id: serverId } = await owner.servers.create({ name: "Chess club", is_public: true });
  const channel = await owner.channels.create(serverId, { name: "general" });
  const { bot, token } = await owner.bots.create({ name: "Reviewer" });
  await createClient({ baseUrl, botToken: token }).servers.join(serverId);
  const rights: (keyof typeof rightBits)[] = ["review_reports"];
  const role = await owner.roles.create(serverId, { name: "Reviewer", permissions: 128, rights });
  await owner.roles.assign(serverId, bot.user_id, role.id);
  const [rude, first, second] = [await newcomer(), await newcomer(), await newcomer()];
  for (const client of [rude, first, second]) await client.servers.join(serverId);

  const log: string[] = [];
  const example = spawn(process.execPath, [join(root, "packages", "client", "examples", "review-bot.mjs")], {
    env: { PATH: process.env.PATH, PARLEY_URL: baseUrl, BOT_TOKEN: token, REPORTERS: "2" },
    stdio: ["ignore", "inherit", "pipe"],
    cwd: mkdtempSync(join(folder, "example-")),
  });
  createInterface({ input: example.stderr }).on("line", (line) => log.push(line));
  const exited = new Promise((resolve) => example.once("exit", resolve));
  try {
    await waitUntil(() => log.includes("Connected"), patience);
    for (const [minutes, before] of [
      [10, 0],
      [60, 1],
    ]) {
      const { id } = await rude.messages.send(channel.id, { content: "something rude" });
      await first.reports.message(id, { reason: "rude" });
      const open = async () => (await owner.reports.list(serverId, { status: "open" })).map((each) => each.message_id);
      expect(await open()).toEqual([id]);
      await second.reports.message(id, { reason: "very rude" });
      await waitUntil(async () => (await open()).length === 0, patience);
      const [closed] = await owner.reports.list(serverId, { status: "closed" });
      expect(closed).toMatchObject({
        message_id: id,
        closed_by: bot.user_id,
        note: `Timed out for ${minutes} minutes, ${before} measures before`,
      });
      await expect(rude.messages.send(channel.id, { content: "sorry" })).rejects.toMatchObject({ code: "timed_out" });
      await owner.moderation.endTimeout(serverId, closed?.author_id ?? "");
    }
    const history = await owner.moderation.history(serverId, (await rude.users.me()).id);
    const measures = history.filter(({ type }) => type === "timeout");
    expect(measures.map(({ details }) => details.duration_minutes)).toEqual([60, 10]);
  } finally {
    example.kill("SIGTERM");
    await exited;
  }
  expect(example.exitCode).toBe(0);
});
