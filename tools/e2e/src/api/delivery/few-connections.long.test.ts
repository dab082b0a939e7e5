import {
  createChannel,
  createClient,
  createServerWithMembers,
  postMessage,
  startStack,
  type TestStack,
} from "@parley/testing";
import { afterEach, expect, test } from "vitest";

let stack: TestStack | undefined;

afterEach(async () => {
  await stack?.stop();
  stack = undefined;
});

test.each([2, 10])(
  "200 messages at once into 50 channels are all stored by two apis with %i connections each, beside edits and roles",
  async (poolMax) => {
    // Its own: apis with few connections to the database.
    stack = await startStack({ apis: 2, gateways: 1, env: { DATABASE_POOL_MAX: String(poolMax) } });
    const { server, owner } = await createServerWithMembers(createClient(stack.edgeUrl), 0);
    const channels = await Promise.all(
      Array.from({ length: 50 }, (_, number) => createChannel(owner, server.id, { name: `channel ${number}` })),
    );
    const clients = stack.apis.map(({ url }) => createClient(url, { authorization: `Bearer ${owner.accessToken}` }));
    const attempts = Array.from({ length: 200 }, async (_, number) => {
      const client = clients[number % 2];
      const channel = channels[Math.floor(number / 2) % 50];
      if (client === undefined || channel === undefined) throw new Error("nobody sends");
      const { id } = await postMessage(client, channel.id, `message ${number}`);
      if (number % 10 > 0) return 201;
      const role = await client.post(`/servers/${server.id}/roles`, { name: `role ${number}` });
      const edit = await client.patch(`/messages/${id}`, { content: "edited" });
      return role.status === 201 && edit.status === 200 ? 201 : [role.status, edit.status];
    });
    expect(await Promise.all(attempts)).toEqual(attempts.map(() => 201));
  },
);
