import { createClient, createServerWithMembers, startStack, waitUntil } from "@parley/testing";
import { expect, onTestFinished, test } from "vitest";
import { runSql } from "../stages/admin-stage.js";

test("an api killed straight after a ban leaves no message of the banned user: the next one deletes the rest", async () => {
  // Its own: its api is killed.
  const stack = await startStack({ apis: 1, gateways: 0, automods: 0, webhookDispatchers: 0 });
  onTestFinished(() => stack.stop());
  const { owner, server, channel, members } = await createServerWithMembers(createClient(stack.edgeUrl), 1);
  const [target] = members;
  await runSql(
    stack.databaseUrl,
    `INSERT INTO messages (channel_id, server_id, author_id, content)
      SELECT $1, $2, $3, n::text FROM generate_series(1, 1000) AS n`,
    [channel.id, server.id, target.user.id],
  );
  const path = `/servers/${server.id}/members/${target.user.id}/ban`;
  expect((await owner.post(path, { delete_message_seconds: 3_600 })).status).toBe(204);
  await stack.apis[0]?.kill();
  const left = () =>
    runSql(stack.databaseUrl, "SELECT FROM messages WHERE author_id = $1 AND NOT deleted", [target.user.id]);
  expect((await left()).length).toBeGreaterThan(0);
  await stack.startApi();
  await waitUntil(async () => (await left()).length === 0, { timeoutMs: 10_000 });
});
