import {
  createClient,
  type DescribedOperation,
  loadAnswerCheck,
  type SharedStack,
  sharedStack,
  startStack,
} from "@parley/testing";
import { beforeAll, expect, test } from "vitest";

let stack: SharedStack;
let operations: readonly DescribedOperation[];

beforeAll(async () => {
  stack = await sharedStack();
  ({ operations } = await loadAnswerCheck(stack.edgeUrl));
});

/** The endpoint's path with something in place of each parameter. */
function fill({ path }: DescribedOperation, value = "0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f60"): string {
  return path.replace(/\{\w+\}/g, value);
}

test("a limited endpoint says so with 429 and its headers, an open one has no limit", async () => {
  const limits = { RATE_LIMIT_REST_RPS: "1", RATE_LIMIT_REST_BURST: "1" };
  // Its own: with the least limits.
  const strict = await startStack({
    gateways: 0,
    env: { ...limits, RATE_LIMIT_AUTH_RPS: "1", RATE_LIMIT_AUTH_BURST: "1" },
  });
  try {
    const eager = createClient(strict.edgeUrl);
    for (const operation of operations) {
      // Limits wrong tokens alone, and here there is no provider that could send any.
      if (operation.path === "/auth/oidc/back-channel-logout") continue;
      const isLimited = operation.responses[429] !== undefined;
      const send = () => eager.send(operation.method, fill(operation));
      let answer = await send();
      for (let attempt = 0; attempt < 20 && isLimited && answer.status !== 429; attempt += 1) answer = await send();
      expect([operation.operationId, answer.status === 429]).toEqual([operation.operationId, isLimited]);
      if (isLimited) expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
    }
  } finally {
    await strict.stop();
  }
});
