import { createClient, createServerWithMembers, type RestClient, useMortalStack, waitUntil } from "@parley/testing";
import { expect, test } from "vitest";

const mortal = useMortalStack();

test("nobody waits while Redis is away", async () => {
  const { stack } = mortal;
  const { owner, channel, members } = await createServerWithMembers(createClient(stack.edgeUrl), 1);
  expect((await owner.patch(`/channels/${channel.id}`, { slow_mode_seconds: 3_600 })).status).toBe(200);
  const statusOf = async (by: RestClient) =>
    (await by.post(`/channels/${channel.id}/messages`, { content: "text" })).status;
  expect([await statusOf(members[0]), await statusOf(members[0])]).toEqual([201, 429]);
  await stack.redis.kill();
  await waitUntil(async () => (await statusOf(members[0])) === 201);
  expect(await statusOf(members[0])).toBe(201);
  await stack.redis.restart();
});
