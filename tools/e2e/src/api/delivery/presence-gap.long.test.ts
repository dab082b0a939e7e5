import {
  connectGateway,
  createClient,
  createServerWithMembers,
  type ServerFixture,
  startStack,
  type TestStack,
  type Users,
} from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

let stack: TestStack;
let fixture: ServerFixture<Users<1>>;
beforeAll(async () => {
  // Its own: the grace and the checks are those of an installation.
  stack = await startStack();
  fixture = await createServerWithMembers(createClient(stack.edgeUrl), 1);
});
afterAll(() => stack?.stop());

test("a lost numbered client is offline after fifteen seconds, not sooner, whichever gateway notices", async () => {
  const [member] = fixture.members;
  const [one, other] = stack.gateways.map(({ url }) => url);
  const watcher = connectGateway(other ?? "", fixture.owner.accessToken);
  await watcher.ready;
  const query = `token=${encodeURIComponent(member.accessToken)}&s=`;
  const socket = connectGateway(one ?? "", member.accessToken, { query });
  await socket.ready;
  const seen = (expected: string) =>
    watcher.waitFor("PRESENCE_UPDATE", ({ user_id, status }) => user_id === member.user.id && status === expected, {
      timeoutMs: 60_000,
    });
  await seen("online");
  const lostAt = performance.now();
  socket.terminate();
  await seen("offline");
  expect(performance.now() - lostAt).toBeGreaterThanOrEqual(15_000);
});
