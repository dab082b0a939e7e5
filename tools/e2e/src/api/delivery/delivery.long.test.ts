import { permissionBits } from "@parley/contracts";
import { connectDatabase, type Database } from "@parley/database/prisma";
import {
  connectGateway,
  createClient,
  createServerWithMembers,
  type GatewayClient,
  type MortalStack,
  postMessage,
  type ServerFixture,
  type UserClient,
  type Users,
  useMortalStack,
  waitUntil,
} from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const mortal = useMortalStack();
let stack: MortalStack;
let database: Database;
let fixture: ServerFixture<Users<2>>;
let owner: UserClient;
let member: UserClient;
let hidden: UserClient;
const sockets: GatewayClient[] = [];

const silent = { info() {}, warn() {}, error() {} };

beforeAll(async () => {
  ({ stack } = mortal);
  database = await connectDatabase({ url: stack.databaseUrl, poolMax: 2, applicationName: "test", logger: silent });
  const client = createClient(stack.edgeUrl);
  fixture = await createServerWithMembers(client, 2);
  const [first, second] = fixture.members;
  [owner, member, hidden] = [fixture.owner, first, second];
  await database.prisma.channelOverride.create({
    data: {
      channel_id: fixture.channel.id,
      user_id: hidden.user.id,
      allow: 0,
      deny: permissionBits.VIEW_CHANNEL,
    },
  });
});
afterAll(async () => {
  for (const socket of sockets) socket.terminate();
  await database?.close();
});

/** A connection that is READY, on a gateway of one's choice. */
async function open(user: UserClient, gateway: 0 | 1 | "edge"): Promise<GatewayClient> {
  const url = gateway === "edge" ? stack.edgeUrl : (stack.gateways[gateway]?.url ?? "");
  const socket = connectGateway(url, user.accessToken);
  sockets.push(socket);
  await socket.ready;
  return socket;
}

describe("when processes or NATS fail", () => {
  test("an api killed straight after its 201 has lost nothing: the next one publishes the event", async () => {
    const socket = await open(owner, 0);
    // Rows without a publish, as a process leaves them that dies between the commit and the stream.
    const api = await stack.startApi();
    const client = createClient(api.url, { authorization: `Bearer ${member.accessToken}` });
    const sent = await Promise.all(
      Array.from({ length: 20 }, (_, n) => postMessage(client, fixture.channel.id, `kill ${n}`)),
    );
    await stack.dismiss(api);
    for (const message of sent) {
      await socket.waitFor("MESSAGE_CREATE", ({ id }) => id === message.id);
    }
    const ids = socket.events.map(({ payload }) => Object(payload).id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("200 messages posted during an outage of NATS are all accepted, and delivered once after it", async () => {
    const receivers = [await open(owner, 0), await open(member, 1)];
    await stack.nats.kill();
    const sent: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      const messages = await Promise.all(
        Array.from({ length: 10 }, (_, n) => postMessage(member, fixture.channel.id, `outage ${round} ${n}`)),
      );
      sent.push(...messages.map(({ id }) => id));
    }
    await stack.nats.restart();
    for (const socket of receivers) {
      await waitUntil(() => sent.every((id) => socket.events.some(({ payload }) => Object(payload).id === id)), {
        timeoutMs: 60_000,
        what: "every message of the outage",
      });
    }
    const barrier = await postMessage(member, fixture.channel.id, "barrier");
    for (const socket of receivers) {
      await socket.waitFor("MESSAGE_CREATE", ({ id }) => id === barrier.id);
      const got = socket.events.map(({ payload }) => String(Object(payload).id)).filter((id) => sent.includes(id));
      expect(got).toHaveLength(sent.length);
      expect(new Set(got).size).toBe(sent.length);
    }
  });
});
