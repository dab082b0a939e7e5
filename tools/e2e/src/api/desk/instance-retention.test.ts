import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient, createServerWithMembers } from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { keepFor } from "../stages/retention-stage.js";
import { filesBelow, startUploadStage, type UploadStage } from "../stages/upload-stage.js";

// The setting is one of every api of an installation.
let instance: UploadStage;
let database: pg.Client;
beforeAll(async () => {
  instance = await startUploadStage({ apis: 1, env: { RETENTION_DAYS: "90" } });
  database = new pg.Client({ connectionString: instance.stack.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await instance?.stop();
});

test("an instance that keeps messages for 90 days removes older ones everywhere; a server may keep its own shorter, not longer", async () => {
  const { owner, members, server, channel } = instance;
  const [member] = members;
  const longer = await createServerWithMembers(instance.client, 0);
  const shorter = await createServerWithMembers(instance.client, 0);
  const own = { instance_retention_days: 90 };
  expect(await keepFor(longer.owner, longer.server.id, 365)).toEqual({ ...own, retention_days: 365 });
  expect(await keepFor(shorter.owner, shorter.server.id, 10)).toEqual({ ...own, retention_days: 10 });
  const opened = await owner.post("/dm-channels", { user_id: member?.user.id });
  const direct = opened.expect(201, z.object({ id: z.string() }).loose()).id;
  for (const days of [91, 60, 1]) {
    for (const made of [{ server, channel }, longer, shorter]) {
      await database.query(
        `INSERT INTO messages (id, channel_id, server_id, content)
          VALUES (uuidv7(make_interval(days => -$3::integer)), $1, $2, $4)`,
        [made.channel.id, made.server.id, days, `${days}`],
      );
    }
    await database.query(
      `INSERT INTO dm_messages (id, channel_id, content) VALUES (uuidv7(make_interval(days => -$2::integer)), $1, $3)`,
      [direct, days, `${days}`],
    );
  }
  const file = `${"0".repeat(32)}_old.txt`;
  const { rows } = await database.query<{ message_id: string }>(
    `INSERT INTO dm_attachments (message_id, filename, stored_name, file_size, mime_type)
      SELECT id, 'old.txt', $2, 3, 'text/plain' FROM dm_messages WHERE channel_id = $1 AND content <> '60'
      RETURNING message_id`,
    [direct, file],
  );
  for (const { message_id } of rows) {
    await mkdir(join(instance.uploadDir, "dm-attachments", message_id), { recursive: true });
    await writeFile(join(instance.uploadDir, "dm-attachments", message_id, file), "old");
  }
  // A process looks when it starts.
  const [api] = instance.stack.apis;
  await api?.restart();
  const contents = async (table: string, channelId: string) => {
    const query = `SELECT content FROM ${table} WHERE channel_id = $1 ORDER BY id`;
    return (await database.query<{ content: string }>(query, [channelId])).rows.map(({ content }) => content);
  };
  await expect.poll(() => contents("messages", channel.id)).toEqual(["60", "1"]);
  await expect.poll(() => contents("messages", longer.channel.id)).toEqual(["60", "1"]);
  await expect.poll(() => contents("messages", shorter.channel.id)).toEqual(["1"]);
  await expect.poll(() => contents("dm_messages", direct)).toEqual(["60", "1"]);
  await expect.poll(() => filesBelow(instance.uploadDir)).toHaveLength(1);
  const reader = createClient(api?.url ?? "", { authorization: `Bearer ${owner.accessToken}` });
  expect((await reader.get(`/dm-channels/${direct}/messages`)).expect(200, z.array(z.unknown())).length).toBe(2);
});
