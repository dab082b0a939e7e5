import {
  connectGateway,
  createClient,
  createServerWithMembers,
  type GatewayClient,
  joinServer,
  modelSteps,
  postMessage,
  type RestClient,
  type ServerFixture,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";

const rounds = modelSteps(60);

let stack: SharedStack;
let client: RestClient;
let fixture: ServerFixture;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl, { prefix: "/api" });
  fixture = await createServerWithMembers(client, 4);
});

/** Connections of a user to every gateway; resolves when they are READY. */
async function connectEverywhere(user: UserClient, query = ""): Promise<GatewayClient[]> {
  const sockets = stack.gateways.map(({ url }) =>
    connectGateway(url, user.accessToken, { query: `token=${user.accessToken}${query}` }),
  );
  await Promise.all(sockets.map((socket) => socket.ready));
  return sockets;
}

/** Posts some messages and waits until each socket has them. */
async function expectMessages(sockets: readonly GatewayClient[], label: string): Promise<void> {
  const contents = [1, 2, 3].map((number) => `${label} ${number}`);
  for (const content of contents) await postMessage(fixture.owner, fixture.channel.id, content);
  for (const socket of sockets) {
    for (const content of contents) await socket.waitFor("MESSAGE_CREATE", (message) => message.content === content);
  }
}

describe("a user who comes back to a server", () => {
  test.each([
    { how: "after a kick", end: (user: UserClient) => kick(user) },
    { how: "after leaving", end: (user: UserClient) => leave(user) },
  ])("gets its events $how, on every gateway, over sockets old and new", async ({ how, end }) => {
    await Promise.all(
      fixture.members.map(async (user, number) => {
        const sockets = await connectEverywhere(user);
        for (let round = 0; round < rounds; round += 1) {
          expect((await end(user)).status).toBe(204);
          await joinServer(user, fixture.server.id);
          const newcomers = round % 5 === 0 ? await connectEverywhere(user) : [];
          await expectMessages([...sockets, ...newcomers], `${how} ${number}.${round}`);
          for (const socket of newcomers) socket.terminate();
        }
        // A message twice would be as wrong as none.
        for (const socket of sockets) {
          const contents = socket.events.flatMap(({ name, payload }) =>
            name === "MESSAGE_CREATE" ? [JSON.stringify(payload)] : [],
          );
          expect(new Set(contents).size).toBe(contents.length);
          socket.terminate();
        }
      }),
    );
  });

  test("hears with v=2 of each leave before the next join, without a pause between them, on every gateway", async () => {
    await Promise.all(
      fixture.members.map(async (user, number) => {
        const queries = ["&v=2", "&v=2&members=all", "&v=2&s="];
        const sockets = (await Promise.all(queries.map((query) => connectEverywhere(user, query)))).flat();
        for (let round = 0; round < rounds; round += 1) {
          expect((await leave(user)).status).toBe(204);
          await joinServer(user, fixture.server.id);
        }
        await expectMessages(sockets, `without a pause ${number}`);
        for (const socket of sockets) {
          const heard = socket.events.flatMap(({ name }) => (/^SERVER_(JOIN|LEAVE)$/.test(name) ? [name] : []));
          expect(heard).toEqual(heard.map((_, index) => (index % 2 === 0 ? "SERVER_LEAVE" : "SERVER_JOIN")));
          expect(heard.at(-1)).toBe("SERVER_JOIN");
          socket.terminate();
        }
      }),
    );
  });
});

const kick = (user: UserClient) => fixture.owner.post(`/servers/${fixture.server.id}/members/${user.user.id}/kick`, {});
const leave = (user: UserClient) => user.delete(`/servers/${fixture.server.id}/leave`);
