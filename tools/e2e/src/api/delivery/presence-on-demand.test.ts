import { randomUUID } from "node:crypto";
import {
  createClient,
  createServerWithMembers,
  type GatewayClient,
  joinServer,
  type RestClient,
  type ServerFixture,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createBot, createConnections, openDirectChannel } from "../stages/connection-stage.js";

let stack: SharedStack;
let client: RestClient;
let fixture: ServerFixture;
let watcher: UserClient;
let connections: ReturnType<typeof createConnections>;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
  fixture = await createServerWithMembers(client, 1);
  connections = createConnections(stack);
});
beforeEach(async () => {
  watcher = await newMember();
});
afterAll(async () => {
  connections?.closeAll();
});

async function newMember(): Promise<UserClient> {
  const user = await client.register();
  await joinServer(user, fixture.server.id);
  return user;
}

const open = (user: UserClient, gateway: 0 | 1, query = "presence=subscribed") =>
  connections.open(user.accessToken, gateway, query);

const name = (connection: GatewayClient, ...users: readonly { user: { id: string } }[]) =>
  connection.send("PRESENCE_SUBSCRIBE", { user_ids: users.map(({ user }) => user.id) });

const say = (user: UserClient, custom_status: string) => user.patch("/users/@me", { status: "dnd", custom_status });

/** The presences that a connection got, as `user: status text`. */
const heardBy = (connection: GatewayClient, ...users: readonly UserClient[]) =>
  connection.events.flatMap(({ name, payload }) => {
    if (name !== "PRESENCE_UPDATE" || typeof payload !== "object" || payload === null) return [];
    const { user_id, status, custom_status } = { user_id: "", status: "", custom_status: null, ...payload };
    const index = users.findIndex(({ user }) => user.id === user_id);
    return [`${index} ${status} ${custom_status ?? "-"}`];
  });

/** A user whom the connection names: their event proves that earlier ones have been delivered. */
const until = (connection: GatewayClient, user: UserClient, text: string) =>
  connection.waitFor(
    "PRESENCE_UPDATE",
    ({ user_id, custom_status }) => user_id === user.user.id && custom_status === text,
  );

describe("presence=subscribed", () => {
  test("presence=subscribed gets the presence of nobody before it names them; then of those who are not offline, and their changes", async () => {
    const [shown, hidden, other] = [await newMember(), await newMember(), await newMember()];
    await open(shown, 1);
    await say(shown, "first");
    const connection = await open(watcher, 0);
    await say(other, "unnamed");
    name(connection, shown, hidden);
    await until(connection, shown, "first");
    await open(hidden, 1);
    await connection.waitFor("PRESENCE_UPDATE", ({ user_id }) => user_id === hidden.user.id);
    await say(hidden, "came");
    await say(shown, "second");
    await until(connection, shown, "second");
    await say(other, "still unnamed");
    await say(shown, "third");
    await until(connection, shown, "third");
    await until(connection, hidden, "came");
    expect(heardBy(connection, shown, hidden, other).filter((text) => text.startsWith("0"))).toEqual([
      "0 dnd first",
      "0 dnd second",
      "0 dnd third",
    ]);
    expect(heardBy(connection, shown, hidden, other).filter((text) => !text.startsWith("0"))).toEqual([
      "1 online -",
      "1 dnd came",
    ]);
  });

  test("each op replaces the set; an empty one ends it; ids may repeat, in any case", async () => {
    const [one, two] = [await newMember(), await newMember()];
    await say(one, "one");
    await say(two, "two");
    const connection = await open(watcher, 1);
    const ids = [one.user.id, one.user.id.toUpperCase(), one.user.id];
    connection.send("PRESENCE_SUBSCRIBE", { user_ids: ids, more: true });
    await until(connection, one, "one");
    name(connection, two);
    await until(connection, two, "two");
    await say(one, "not heard");
    await say(two, "heard");
    await until(connection, two, "heard");
    name(connection);
    await connection.heartbeat();
    await say(two, "not heard either");
    name(connection, one);
    await until(connection, one, "not heard");
    expect(heardBy(connection, one, two)).toEqual(["0 dnd one", "1 dnd two", "1 dnd heard", "0 dnd not heard"]);
  });

  test("presence=subscribed takes 400 ids, and drops an op with more, with none, or with something else", async () => {
    const shown = await newMember();
    await say(shown, "shown");
    const connection = await open(watcher, 0);
    const fill = (count: number) => Array.from({ length: count }, () => randomUUID());
    connection.send("PRESENCE_SUBSCRIBE", { user_ids: [shown.user.id, ...fill(399)] });
    await until(connection, shown, "shown");
    const dropped = [
      { user_ids: fill(401) },
      {},
      null,
      { user_ids: shown.user.id },
      { user_ids: ["x"] },
      { user_ids: null },
    ];
    for (const d of dropped) connection.send("PRESENCE_SUBSCRIBE", d);
    await connection.heartbeat();
    await say(shown, "still named");
    await until(connection, shown, "still named");
  });

  test("presence=subscribed ignores strangers until they are co-members, and co-members from when they are none", async () => {
    const stranger = await client.register();
    await say(stranger, "before");
    const connection = await open(watcher, 0);
    const witness = await newMember();
    name(connection, stranger, witness, watcher);
    await connection.heartbeat();
    await say(stranger, "as a stranger");
    await say(watcher, "oneself");
    await joinServer(stranger, fixture.server.id);
    await say(stranger, "as a co-member");
    await until(connection, stranger, "as a co-member");
    expect((await stranger.delete(`/servers/${fixture.server.id}/leave`)).status).toBeLessThan(300);
    await say(stranger, "as a stranger again");
    await say(witness, "done");
    await until(connection, witness, "done");
    expect(heardBy(connection, stranger, witness)).toEqual(["0 dnd as a co-member", "1 dnd done"]);
  });

  test("presence=subscribed counts a membership of the moment before", async () => {
    const member = await newMember();
    await say(member, "member");
    for (const gateway of [0, 1] as const) {
      const joining = await client.register();
      const connection = await open(joining, gateway);
      await joinServer(joining, fixture.server.id);
      name(connection, member);
      await until(connection, member, "member");
      await say(member, `after ${gateway}`);
      await until(connection, member, `after ${gateway}`);
      await say(member, "member");
    }
  });

  test("always gets the partners of DM channels, old and new, also without a common server", async () => {
    const [old, fresh, other] = [await client.register(), await client.register(), await newMember()];
    await openDirectChannel(watcher, old);
    const connection = await open(watcher, 0);
    const quiet = await open(watcher, 1, "presence=none");
    await say(old, "partner");
    await until(connection, old, "partner");
    await openDirectChannel(fresh, watcher);
    await connection.waitFor("DM_CHANNEL_CREATE");
    await say(other, "no partner");
    await say(fresh, "new partner");
    await until(connection, fresh, "new partner");
    name(connection, old);
    await connection.waitFor("PRESENCE_UPDATE", ({ user_id }) => user_id === old.user.id, { since: 3 });
    expect(heardBy(connection, old, fresh, other)).toEqual(["0 dnd partner", "1 dnd new partner", "0 dnd partner"]);
    await quiet.waitFor("DM_CHANNEL_CREATE");
    expect(heardBy(quiet)).toEqual([]);
  });

  test("presence=subscribed is for bots, too", async () => {
    const [owner, member] = [await newMember(), await newMember()];
    const bot = await createBot(owner);
    await joinServer(client.withAuthorization(`Bot ${bot.token}`), fixture.server.id);
    await say(member, "shown");
    const connection = await connections.open(bot.accessToken, 1, "presence=subscribed");
    name(connection, member);
    await until(connection, member, "shown");
  });

  test("presence=subscribed goes with the user's other connections, whatever these ask for", async () => {
    const [one, two] = [await newMember(), await newMember()];
    const [all, none] = [await open(watcher, 0, ""), await open(watcher, 0, "presence=none")];
    const subscribed = await open(watcher, 0);
    name(all, one);
    name(none, one);
    name(subscribed, one);
    await Promise.all([all, none, subscribed].map((connection) => connection.heartbeat()));
    await say(two, "two");
    await say(one, "one");
    await Promise.all([until(all, one, "one"), until(subscribed, one, "one")]);
    await none.heartbeat();
    all.terminate();
    await say(one, "again");
    await until(subscribed, one, "again");
    expect(heardBy(all, one, two)).toEqual(["1 dnd two", "0 dnd one"]);
    expect(heardBy(subscribed, one, two)).toEqual(["0 dnd one", "0 dnd again"]);
    expect(heardBy(none, one, two)).toEqual([]);
  });

  test("presence on demand with a shard counts the servers of the shard, and DM partners in shard 0", async () => {
    const [partner, member] = [await client.register(), await newMember()];
    await openDirectChannel(watcher, partner);
    const both = await Promise.all(
      ([0, 1] as const).map((shard) => open(watcher, 1, `presence=subscribed&shard=${shard}/2`)),
    );
    for (const connection of both) name(connection, partner, member);
    await Promise.all(both.map((connection) => connection.heartbeat()));
    await say(member, "member");
    await say(partner, "partner");
    const [zero, one] = both;
    if (zero === undefined || one === undefined) throw new Error("no connections");
    await until(zero, partner, "partner");
    const { servers } = await one.ready;
    const [holder, other] = servers.length === 1 ? [one, zero] : [zero, one];
    await until(holder, member, "member");
    await other.heartbeat();
    expect(heardBy(one, partner)).not.toContain("0 dnd partner");
    expect(heardBy(other, member)).not.toContain("0 dnd member");
  });
});

describe("a change during the answer", () => {
  test("a change during the answer is never missed, however many at once name the user, on both gateways", async () => {
    const member = await newMember();
    const watching = await Promise.all(Array.from({ length: 20 }, (_, n) => open(watcher, n % 2 ? 0 : 1)));
    for (let round = 0; round < 10; round += 1) {
      const text = `round ${round}`;
      const saying = say(member, text);
      for (const connection of watching) name(connection, member);
      await saying;
      await Promise.all(watching.map((connection) => until(connection, member, text)));
      // The last event that each got is the true state.
      await Promise.all(watching.map((connection) => connection.heartbeat()));
      for (const connection of watching) expect(heardBy(connection, member).at(-1)).toBe(`0 dnd ${text}`);
    }
  });
});
