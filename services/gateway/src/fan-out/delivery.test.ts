import { randomUUID } from "node:crypto";
import { createTestDatabase, startNats, startRedis, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  connectClient,
  createRows,
  type GatewayFixture,
  messageOf,
  openClient,
  publish,
  publishEphemeral,
  startGateway,
  type TestClient,
} from "../gateway-fixture.js";

let fixture: GatewayFixture;
let second: GatewayFixture;
let rows: ReturnType<typeof createRows>;
const stops: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const database = await createTestDatabase();
  const nats = await startNats();
  const redis = await startRedis();
  fixture = await startGateway({ databaseUrl: database.url, natsUrl: nats.url, redisUrl: redis.url });
  second = await startGateway({ databaseUrl: database.url, natsUrl: nats.url, redisUrl: redis.url });
  rows = createRows(fixture.database);
  stops.push(second.stop, fixture.stop, nats.stop, redis.stop, database.drop);
});

afterAll(async () => {
  for (const stop of stops) await stop();
});

async function closeAll(...clients: TestClient[]) {
  for (const client of clients) await client.close();
}

const settleAll = (...clients: TestClient[]) => Promise.all(clients.map((client) => client.settled()));

async function createServer(memberCount: number) {
  const userIds = await Promise.all(Array.from({ length: memberCount }, () => rows.user()));
  const [ownerId = ""] = userIds;
  const server_id = await rows.server(ownerId, userIds.slice(1));
  return { userIds, target: { server_id, channel_id: await rows.channel(server_id) } };
}

describe("the delivery of events", () => {
  test("the delivery of events takes a message to every connection of every member on every node, and to no stranger", async () => {
    const { userIds, target } = await createServer(2);
    const [one = "", two = ""] = userIds;
    const members = [
      await connectClient(fixture, one),
      await connectClient(fixture, one),
      await connectClient(second, one),
      await connectClient(second, two),
    ];
    const stranger = await connectClient(fixture, await rows.user());
    const message = messageOf(target.channel_id, 'héllo \u{1f600} "quoted"');
    await publish(fixture.messaging, "MESSAGE_CREATE", target, message);
    for (const member of members) expect((await member.receive("MESSAGE_CREATE")).d).toEqual(message);
    await settleAll(...members, stranger);
    for (const member of members) expect(member.events()).toEqual(["MESSAGE_CREATE"]);
    expect(stranger.events()).toEqual([]);
    await closeAll(...members, stranger);
  });

  test("the delivery of events keeps the order of the stream on a connection, over channels of one server", async () => {
    const { userIds, target } = await createServer(1);
    const channels = [target.channel_id, await rows.channel(target.server_id), await rows.channel(target.server_id)];
    const client = await connectClient(fixture, userIds[0] ?? "");
    const sent: string[] = [];
    for (let index = 0; index < 300; index++) {
      const channel_id = channels[index % 3] ?? "";
      sent.push(`${index}`);
      await publish(fixture.messaging, "MESSAGE_CREATE", { ...target, channel_id }, messageOf(channel_id, `${index}`));
    }
    await waitUntil(() => client.events().length === sent.length);
    expect(
      client.frames.flatMap((frame) => (frame.t === null || frame.t === "READY" ? [] : [frame.d.content])),
    ).toEqual(sent);
    await closeAll(client);
  });

  test("the delivery of events delivers after READY what is stored while READY is being built", async () => {
    const { userIds, target } = await createServer(1);
    const [userId = ""] = userIds;
    let number = 0;
    let isBusy = true;
    const busy = (async () => {
      while (isBusy)
        await publish(fixture.messaging, "MESSAGE_CREATE", target, messageOf(target.channel_id, `${number++}`));
    })();
    // Also when the test fails: later tests share the process.
    onTestFinished(async () => {
      isBusy = false;
      await busy;
    });
    for (let round = 0; round < 20; round++) {
      const client = await connectClient(fixture, userId);
      await waitUntil(() => client.events().length > 3);
      expect(client.frames[0]?.t).toBe("READY");
      const contents = client.frames.slice(1).map((frame) => Number(frame.d.content));
      const [start = 0] = contents;
      expect(contents).toEqual(contents.map((_, index) => start + index));
      await closeAll(client);
    }
  });

  test("the delivery of events takes direct messages to all connections of the named user only", async () => {
    const [userId, otherId] = [await rows.user(), await rows.user()];
    const clients = [await connectClient(fixture, userId), await connectClient(second, userId)];
    const other = await connectClient(fixture, otherId);
    const message = {
      id: userId,
      channel_id: userId,
      author_id: otherId,
      content: "psst",
      edited_at: null,
      created_at: "2026-01-02T03:04:05.678Z",
      author: { id: otherId, username: "other", nickname: null, avatar_url: null },
    };
    await publish(fixture.messaging, "DM_MESSAGE_CREATE", { user_id: userId }, message);
    for (const client of clients) expect((await client.receive("DM_MESSAGE_CREATE")).d).toEqual(message);
    await settleAll(other);
    expect(other.events()).toEqual([]);
    await closeAll(...clients, other);
  });

  test("the delivery of events sends co-members a change of presence once, however many servers they share, and not the user", async () => {
    const { userIds, target } = await createServer(2);
    const [userId = "", friendId = ""] = userIds;
    const alsoShared = await rows.server(friendId, [userId]);
    const [user, friend, stranger] = [
      await connectClient(fixture, userId),
      await connectClient(second, friendId),
      await connectClient(second, await rows.user()),
    ];
    const presence = { user_id: userId, status: "dnd" as const, custom_status: null, activity: "chess" };
    const servers = { user_id: userId, server_ids: [target.server_id, alsoShared] };
    publishEphemeral(fixture.messaging, "PRESENCE_UPDATE", servers, presence);
    await friend.receive("PRESENCE_UPDATE", (d) => d.activity === "chess");
    publishEphemeral(fixture.messaging, "PRESENCE_UPDATE", servers, { ...presence, activity: "tea" });
    await friend.receive("PRESENCE_UPDATE", (d) => d.activity === "tea");
    await settleAll(user, stranger);
    const heard = (client: TestClient) =>
      client.frames.flatMap(({ t, d }) => (t === "PRESENCE_UPDATE" && d.user_id === userId ? [d.activity] : []));
    expect(heard(friend).filter((activity) => activity !== null)).toEqual(["chess", "tea"]);
    expect(heard(user)).toEqual([]);
    expect(heard(stranger)).toEqual([]);
    await closeAll(user, friend, stranger);
  });

  test("the delivery of events sends many co-members the changes of many users, in their order", async () => {
    const { userIds, target } = await createServer(40);
    const friends = await Promise.all(userIds.map((id) => connectClient(fixture, id)));
    const activities = Array.from({ length: 100 }, (_, number) => `move ${number}`);
    for (const activity of activities) {
      const presence = { user_id: randomUUID(), status: "online" as const, custom_status: null, activity };
      const servers = { user_id: presence.user_id, server_ids: [target.server_id] };
      publishEphemeral(fixture.messaging, "PRESENCE_UPDATE", servers, presence);
    }
    for (const friend of friends) {
      await friend.receive("PRESENCE_UPDATE", (d) => d.activity === activities.at(-1));
      const heard = friend.frames.filter(({ t, d }) => t === "PRESENCE_UPDATE" && d.activity !== null);
      expect(heard.map(({ d }) => d.activity)).toEqual(activities);
    }
    await closeAll(...friends);
  });

  test("the delivery of events sends co-members the latest of a user's changes, and never an earlier one after it", async () => {
    const { userIds, target } = await createServer(40);
    const [userId = "", ...friendIds] = userIds;
    const friends = await Promise.all(friendIds.map((id) => connectClient(fixture, id)));
    const servers = { user_id: userId, server_ids: [target.server_id] };
    const moves = Array.from({ length: 100 }, (_, number) => number);
    for (const number of moves) {
      const presence = { user_id: userId, status: "online" as const, custom_status: null, activity: `${number}` };
      publishEphemeral(fixture.messaging, "PRESENCE_UPDATE", servers, presence);
    }
    for (const friend of friends) {
      await friend.receive("PRESENCE_UPDATE", (d) => d.activity === "99");
      await friend.settled();
      const heard = friend.frames.flatMap(({ t, d }) =>
        t === "PRESENCE_UPDATE" && d.user_id === userId ? [Number(d.activity)] : [],
      );
      expect(heard).toEqual(moves.filter((number) => heard.includes(number)));
      expect(heard.at(-1)).toBe(99);
    }
    await closeAll(...friends);
  });

  test("the delivery of events shows every recipient of POLL_VOTE their own vote, in order with other events", async () => {
    const { userIds, target } = await createServer(3);
    const [voterId = "", otherVoterId = "", undecidedId = ""] = userIds;
    const { prisma } = fixture.database;
    const message = await prisma.message.create({ data: { ...target, content: "poll" } });
    const poll = await prisma.poll.create({ data: { message_id: message.id, question: "?" } });
    const options = await Promise.all(
      ["a", "b"].map((text, position) => prisma.pollOption.create({ data: { poll_id: poll.id, text, position } })),
    );
    for (const [place, user_id] of [voterId, otherVoterId].entries()) {
      await prisma.pollVote.create({ data: { poll_id: poll.id, user_id, option_id: options[place]?.id ?? "" } });
    }
    const clients = [
      await connectClient(fixture, voterId),
      await connectClient(fixture, otherVoterId),
      await connectClient(fixture, undecidedId),
    ];
    const updated_poll = {
      id: poll.id,
      question: '"user_vote":null',
      options: options.map(({ id, text }) => ({ id, text, votes: 1 })),
      total_votes: 2,
      user_vote: null,
    };
    const payload = { poll_id: poll.id, channel_id: target.channel_id, message_id: message.id, updated_poll };
    const routing = { poll_id: poll.id };
    await publish(fixture.messaging, "POLL_VOTE", target, payload, routing);
    const edited = { ...messageOf(target.channel_id, "poll"), poll: updated_poll };
    await publish(fixture.messaging, "MESSAGE_UPDATE", target, edited, routing);
    await publish(fixture.messaging, "MESSAGE_CREATE", target, messageOf(target.channel_id, "afterwards"));
    const expected = [options[0]?.id, options[1]?.id, null];
    for (const [place, client] of clients.entries()) {
      const user_vote = expected[place];
      await client.receive("MESSAGE_CREATE");
      expect(client.events()).toEqual(["POLL_VOTE", "MESSAGE_UPDATE", "MESSAGE_CREATE"]);
      expect((await client.receive("POLL_VOTE")).d).toEqual({
        ...payload,
        updated_poll: { ...updated_poll, user_vote },
      });
      expect((await client.receive("MESSAGE_UPDATE")).d).toEqual({ ...edited, poll: { ...updated_poll, user_vote } });
    }
    await closeAll(...clients);
  });

  test("the delivery of events closes the connections that are to be closed with 1000, all of a user or the one named", async () => {
    const userId = await rows.user();
    const clients = [await connectClient(fixture, userId), await connectClient(second, userId)];
    await publish(fixture.messaging, "SESSION_CLOSE", { user_id: userId }, { connection_id: "another" });
    await settleAll(...clients);
    await publish(fixture.messaging, "SESSION_CLOSE", { user_id: userId }, { connection_id: null });
    expect(await Promise.all(clients.map((client) => client.closed))).toEqual([1000, 1000]);
    for (const client of clients) expect(client.events()).toEqual([]);
  });

  test("the delivery of events closes the connections of earlier versions of an account's sessions, and no later ones, on every node", async () => {
    const userId = await rows.user();
    const connect = async (node: GatewayFixture) => connectClient(node, userId);
    const old = [await connect(fixture), await connect(second)];
    await fixture.database.prisma.user.update({ where: { id: userId }, data: { session_version: 1 } });
    const token = fixture.accessTokens.issue({ userId, session: { id: randomUUID(), version: 1 } });
    const fresh = [fixture, second].map((node) => openClient(node, `token=${token}`));
    await Promise.all(fresh.map((client) => client.receive("READY")));
    const close = { connection_id: null, before_version: 1 };
    await publish(fixture.messaging, "SESSION_CLOSE", { user_id: userId }, close);
    expect(await Promise.all(old.map((client) => client.closed))).toEqual([1000, 1000]);
    await settleAll(...fresh);
    await closeAll(...fresh);
  });

  test("the delivery of events forgets a server with its last local member, and serves it again with the next", async () => {
    const { userIds, target } = await createServer(2);
    const [one = "", two = ""] = userIds;
    for (const userId of [one, two, one]) {
      const client = await connectClient(fixture, userId);
      await publish(fixture.messaging, "MESSAGE_CREATE", target, messageOf(target.channel_id, "hello"));
      await client.receive("MESSAGE_CREATE");
      expect(client.events()).toEqual(["MESSAGE_CREATE"]);
      await client.close();
      await waitUntil(() => fixture.metrics.connections === 0);
      const received = fixture.metrics.eventsReceived;
      for (let count = 0; count < 20; count++) {
        await publish(fixture.messaging, "MESSAGE_CREATE", target, messageOf(target.channel_id, "to nobody"));
      }
      await fixture.messaging.ping(1_000);
      // Presence may come in between: the node receives that of every user.
      expect(fixture.metrics.eventsReceived - received).toBeLessThan(20);
    }
  });
});
