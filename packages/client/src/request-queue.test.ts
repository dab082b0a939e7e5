import { expect, test, vi } from "vitest";
import { RequestQueue } from "./request-queue.js";

const { signal } = new AbortController();
const headersOf = (remaining: number) =>
  new Headers({
    "x-ratelimit-limit": "10",
    "x-ratelimit-remaining": String(remaining),
    // Ten tokens in a second.
    "x-ratelimit-reset": String(Math.ceil(Date.now() / 1_000) + 1),
  });

test("requests of one key wait for each other, others and those without a key do not", async () => {
  const queue = new RequestQueue(1_000);
  const first = await queue.enter("a", signal);
  const second = vi.fn();
  const entered = queue.enter("a", signal);
  void entered.then(second);
  await queue.enter("b", signal);
  await queue.enter(null, signal);
  expect(second).not.toHaveBeenCalled();
  first.leave();
  await entered;
  expect(second).toHaveBeenCalledOnce();
});

test("a request that gives up while it waits for its key leaves the next one its turn", async () => {
  const queue = new RequestQueue(1_000);
  const first = await queue.enter("a", signal);
  const stop = new AbortController();
  const second = queue.enter("a", stop.signal);
  const third = queue.enter("a", signal);
  stop.abort(new Error("given up"));
  await expect(second).rejects.toThrow("given up");
  const order: string[] = [];
  const hasTurn = third.then(() => order.push("third"));
  await (await queue.enter("b", signal)).pass(signal);
  order.push("first has left");
  first.leave();
  await hasTurn;
  expect(order).toEqual(["first has left", "third"]);
});

test("as many requests are under way as the bucket has tokens, and the others follow at its rate", async () => {
  const queue = new RequestQueue(60_000);
  const pass = async () => (await queue.enter(null, signal)).pass(signal);
  const first = await pass();
  first.answered(headersOf(2), null);
  const passed = vi.fn();
  for (let count = 0; count < 3; count += 1) void pass().then(passed);
  await vi.waitFor(() => expect(passed).toHaveBeenCalledTimes(2));
  await vi.waitFor(() => expect(passed).toHaveBeenCalledTimes(3));
});

test("a request that is repeated passes before those that came later", async () => {
  const queue = new RequestQueue(60_000);
  const order: string[] = [];
  const first = await queue.enter(null, signal);
  const sent = await first.pass(signal);
  const blocking = await (await queue.enter(null, signal)).pass(signal);
  sent.answered(new Headers(), 50);
  const later = queue.enter(null, signal).then(({ pass }) => pass(signal));
  await Promise.all([later.then(() => order.push("later")), first.pass(signal).then(() => order.push("repeated"))]);
  expect(order).toEqual(["repeated", "later"]);
  blocking.answered(new Headers(), null);
});

test("a wait for the bucket that is longer than allowed is left to the server", async () => {
  const queue = new RequestQueue(100);
  const first = await (await queue.enter(null, signal)).pass(signal);
  first.answered(new Headers(), 3_600_000);
  await (await queue.enter(null, signal)).pass(signal);
});

test("a request that is aborted while it waits for the bucket is not sent", async () => {
  const queue = new RequestQueue(7_200_000);
  const first = await (await queue.enter(null, signal)).pass(signal);
  first.answered(new Headers(), 3_600_000);
  const stop = new AbortController();
  const passed = (await queue.enter(null, signal)).pass(stop.signal);
  stop.abort(new Error("given up"));
  await expect(passed).rejects.toThrow("given up");
});
