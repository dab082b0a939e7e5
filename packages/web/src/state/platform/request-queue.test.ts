import { expect, test } from "vitest";
import { createRequestQueue } from "./request-queue.js";

/** A queue for one request at a time, and a request whose answers come when they are released. */
function queueing() {
  const answers: (() => void)[] = [];
  const request = () => new Promise<void>((resolve) => answers.push(resolve));
  return { queue: createRequestQueue(1), answers, request };
}

test("a request that is asked for while it waits or runs is sent once", async () => {
  const { queue, answers, request } = queueing();
  const asked = [queue("key", request), queue("key", request)];
  await expect.poll(() => answers.length).toBe(1);
  asked.push(queue("key", request));
  answers[0]?.();
  await Promise.all(asked);
  expect(answers).toHaveLength(1);
});

test("what has to be read afresh is read once more after the request under way", async () => {
  const { queue, answers, request } = queueing();
  const before = queue("key", request);
  await expect.poll(() => answers.length).toBe(1);
  let isFresh = false;
  const fresh = [queue("key", request, { afresh: true }), queue("key", request, { afresh: true })];
  const done = Promise.all(fresh).then(() => {
    isFresh = true;
  });
  answers[0]?.();
  await before;
  await expect.poll(() => answers.length).toBe(2);
  expect(isFresh).toBe(false);
  answers[1]?.();
  await done;
  expect(answers).toHaveLength(2);
});
