import { InboxPage, Reminder } from "@parley/contracts";
import { createClient, useMortalStack, waitingForLocks, waitUntil } from "@parley/testing";
import { expect, onTestFinished, test } from "vitest";
import { connectTo } from "../stages/lock-stage.js";

const mortal = useMortalStack();

test("an api that is killed before it has committed a reminder leaves it to another one, which reminds once", async () => {
  const { stack } = mortal;
  const user = await createClient(stack.edgeUrl).register();
  const at = new Date(Date.now() + 3_600_000).toISOString();
  const { id } = (await user.post("/users/@me/reminders", { text: "once", at })).expect(201, Reminder);
  const database = await connectTo(stack);
  onTestFinished(() => database.end());
  const [first, second] = stack.apis;
  await second?.stop();

  // The statement that reminds waits for this row.
  await database.query("UPDATE reminders SET due_at = now() WHERE id = $1", [id]);
  await database.query("BEGIN");
  await database.query("SELECT FROM reminders WHERE id = $1 FOR UPDATE", [id]);
  await waitUntil(async () => (await waitingForLocks(database, { statement: "fired AS" })) > 0, {
    what: "the reminder to begin",
  });
  await first?.kill();
  await database.query("ROLLBACK");
  await second?.restart();
  await first?.restart();
  const items = async () => (await user.get("/users/@me/inbox")).expect(200, InboxPage).items;
  await expect.poll(items).toMatchObject([{ kind: "reminder", reminder: { id, text: "once" } }]);
});
