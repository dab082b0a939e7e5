import { waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { openDirect, type Phone, sendDirect, usePushStage } from "../stages/push-stage.js";
import { idsOf, listSubscriptions } from "../stages/push-subscription-stage.js";

const stage = usePushStage();

/** Somebody with a device, and a friend who writes to them. */
async function pair() {
  const [ann, bob] = [await stage.client.register(), await stage.client.register()];
  const { id } = await openDirect(bob, ann);
  return { ann, phone: await stage.phoneOf(ann), say: (text: string) => sendDirect(bob, id, text) };
}

const attemptsAt = ({ device }: Phone) => stage.service.pushes.filter((push) => push.device === device);
const attempts = (phone: Phone, count: number) =>
  waitUntil(() => attemptsAt(phone).length >= count, { what: `${count} attempts` });
/** Resolves with the seconds from the first failure until the device, and its messages, are tried again, once that is written. */
const untilAgain = (phone: Phone) =>
  waitUntil(
    async () => {
      const [row] = await stage.sql(
        `SELECT extract(epoch FROM s.retry_at - s.failing_since)::float8 AS device, (
          SELECT json_agg(DISTINCT extract(epoch FROM p.due_at - s.failing_since)) FROM pushes p
            WHERE p.subscription_id = s.id AND p.due_at IS NOT NULL) AS messages
        FROM push_subscriptions s WHERE s.id = $1 AND s.sender IS NULL AND s.retry_at IS NOT NULL`,
        phone,
      );
      return row;
    },
    { what: "the time of the next attempt" },
  );

test.each([404, 410])("a device that the push service answers with %i is removed", async (status) => {
  const { ann, phone, say } = await pair();
  const other = await stage.phoneOf(ann);
  stage.service.answer(phone.device, { status });
  await say("Hello");
  await other.pushed("Hello");
  const isGone = async () => (await listSubscriptions(ann)).length === 1;
  await waitUntil(isGone, { what: "the end of the device" });
  expect(idsOf(await listSubscriptions(ann))).toEqual([other.subscription.id]);
});

test("a push that fails is tried again after five seconds, and the device gets it once", async () => {
  const { ann, phone, say } = await pair();
  stage.service.answer(phone.device, { status: 503 });
  await say("Hello");
  await attempts(phone, 1);
  stage.service.answer(phone.device, null);
  expect(await untilAgain(phone)).toEqual({ device: 5, messages: [5] });
  await stage.makeDue(phone);
  await phone.pushed("Hello");
  await stage.idle(phone);
  expect(attemptsAt(phone)).toHaveLength(2);
  await waitUntil(async () => (await listSubscriptions(ann))[0]?.last_used_at !== null, {
    what: "the use of the device",
  });
});

test("a push service that is busy is left alone for as long as it says, whatever else there is for the device", async () => {
  const { ann, phone, say } = await pair();
  stage.service.answer(phone.device, { status: 429, retryAfter: "300" });
  await say("Hello");
  await attempts(phone, 1);
  stage.service.answer(phone.device, null);
  await untilAgain(phone);
  const friend = await stage.client.register();
  await sendDirect(friend, (await openDirect(friend, ann)).id, "Me too");
  await stage.waiting(phone, 2);
  expect(await untilAgain(phone)).toEqual({ device: 300, messages: [300] });
  expect(attemptsAt(phone)).toHaveLength(1);
  await stage.makeDue(phone);
  await phone.pushed("Hello");
  await phone.pushed("Me too");
  expect(attemptsAt(phone)).toHaveLength(3);
});

test("the fourth failure of a push is its last", async () => {
  const { phone, say } = await pair();
  stage.service.answer(phone.device, { status: 500 });
  await say("Hello");
  for (let n = 1; n <= 4; n += 1) {
    await attempts(phone, n);
    const isCounted = async () =>
      (await stage.sql("SELECT FROM push_subscriptions WHERE id = $1 AND sender IS NULL", phone)).length === 1;
    await waitUntil(isCounted, { what: "the end of an attempt" });
    await stage.makeDue(phone);
  }
  await stage.idle(phone);
  expect(attemptsAt(phone)).toHaveLength(4);
});

test("a refused push is not tried again, and a device that has taken none for five days is removed", async () => {
  const { ann, phone, say } = await pair();
  stage.service.answer(phone.device, { status: 403 });
  await say("Hello");
  await attempts(phone, 1);
  await stage.idle(phone);
  expect(attemptsAt(phone)).toHaveLength(1);
  expect(await listSubscriptions(ann)).toHaveLength(1);
  await stage.sql(
    "UPDATE push_subscriptions SET failing_since = now() - interval '5 days 1 minute' WHERE id = $1",
    phone,
  );
  await stage.makeDue(phone);
  await say("Are you there?");
  await waitUntil(async () => (await listSubscriptions(ann)).length === 0, {
    timeoutMs: 60_000,
    what: "the end of the device",
  });
});

test("devices of a push service that does not answer delay no others", async () => {
  const [{ phone, say }, other] = [await pair(), await pair()];
  stage.service.answer(phone.device, "hang");
  await say("Hello");
  await attempts(phone, 1);
  await other.say("Hello");
  await other.phone.pushed("Hello");
  // Its first attempt is still under way: the second one begins five seconds after its end.
  expect(attemptsAt(phone)).toHaveLength(1);
  stage.service.answer(phone.device, null);
});
