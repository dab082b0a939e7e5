import { useMortalStack, waitingForLocks, waitUntil } from "@parley/testing";
import { expect, onTestFinished, test } from "vitest";
import { connectTo } from "../stages/lock-stage.js";
import { openDirect, sendDirect, usePushStage } from "../stages/push-stage.js";

const mortal = useMortalStack();
const stage = usePushStage(async () => mortal.stack);

test("a dispatcher that is killed between the statement of a push and its commit has sent nothing: another one sends it, once", async () => {
  const { stack } = mortal;
  const [ann, bob] = [await stage.client.register(), await stage.client.register()];
  const { id: channelId } = await openDirect(bob, ann);
  const phone = await stage.phoneOf(ann);
  const database = await connectTo(stack);
  onTestFinished(() => database.end());
  const [first, second] = stack.webhookDispatchers;
  await second?.stop();

  // The statement that begins the push waits for this row.
  await database.query("BEGIN");
  await database.query(
    "INSERT INTO pushed_channels (subscription_id, channel_id, pushed_at, message_at) VALUES ($1, $2, now(), now())",
    [phone.subscription.id, channelId],
  );
  await sendDirect(bob, channelId, "Hello");
  const hasBegun = async () => (await waitingForLocks(database, { statement: "begun AS" })) === 1;
  await waitUntil(hasBegun, { what: "the push to begin" });
  await first?.kill();
  expect(stage.service.pushes).toEqual([]);
  await database.query("ROLLBACK");

  await second?.restart();
  // The lease of the dead dispatcher ends.
  await stage.sql("UPDATE push_subscriptions SET busy_until = now() WHERE id = $1", phone);
  await phone.pushed("Hello");
  await first?.restart();
  await stage.idle(phone);
  expect(phone.messages().map(({ text, count }) => [text, count])).toEqual([["Hello", 1]]);
});
