import { InboxPage, Reminder } from "@parley/contracts";
import { createClient, startStack, waitUntil } from "@parley/testing";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";

const remindersMax = 90;
const killEveryMs = 700;

test("apis are killed while reminders are due: each reminds once, and none is lost", async () => {
  // Its own: its processes are killed.
  const stack = await startStack({ apis: 2, gateways: 1, webhookDispatchers: 1 });
  onTestFinished(stack.stop);
  const client = createClient(stack.edgeUrl);
  const users = await Promise.all(Array.from({ length: 6 }, () => client.register()));
  const at = new Date(Date.now() + 3_600_000).toISOString();
  const ids = new Map<string, string[]>();
  for (const user of users) {
    const made: string[] = [];
    for (let n = 0; n < remindersMax; n += 1)
      made.push((await user.post("/users/@me/reminders", { text: `${n}`, at })).expect(201, Reminder).id);
    ids.set(user.user.id, made);
  }
  const database = new pg.Client({ connectionString: stack.databaseUrl });
  await database.connect();
  onTestFinished(() => database.end());
  // They become due one after the other, over eight seconds.
  await database.query(
    "UPDATE reminders SET due_at = now() + (row.n % 80) * interval '100 ms' FROM (SELECT id, row_number() OVER () AS n FROM reminders) row WHERE row.id = reminders.id",
  );
  const waiting = async () =>
    (await database.query<{ count: number }>("SELECT count(*)::integer AS count FROM reminders")).rows[0]?.count ?? 0;
  let kills = 0;
  while ((await waiting()) > 0 && kills < 60) {
    const next = performance.now() + killEveryMs;
    const victim = stack.apis[kills % 2];
    await victim?.kill();
    await victim?.restart();
    kills += 1;
    await waitUntil(() => performance.now() >= next, { timeoutMs: 60_000 });
  }
  expect(kills).toBeGreaterThan(2);
  await expect.poll(waiting).toBe(0);
  for (const user of users) {
    const items = (await user.get("/users/@me/inbox?kinds=reminder&limit=100")).expect(200, InboxPage).items;
    expect(items.map(({ reminder }) => reminder?.id).toSorted()).toEqual(ids.get(user.user.id)?.toSorted());
  }
});
