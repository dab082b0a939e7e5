import { Message, Poll, Role } from "@parley/contracts";
import {
  connectGateway,
  createChannel,
  createClient,
  createRole,
  createServerWithMembers,
  type GatewayClient,
  modelSteps,
  postMessage,
  type ServerFixture,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";

let stack: SharedStack;
let fixture: ServerFixture;
let sockets: GatewayClient[];
/** The owner and the members, each at both apis. */
let owners: UserClient[];
let members: UserClient[][];

beforeAll(async () => {
  stack = await sharedStack();
  fixture = await createServerWithMembers(createClient(stack.edgeUrl), 10);
  const atBoth = (user: UserClient) =>
    stack.apis.map(({ url }) => ({ ...user, ...createClient(url, { authorization: `Bearer ${user.accessToken}` }) }));
  owners = atBoth(fixture.owner);
  members = fixture.members.map(atBoth);
  sockets = stack.gateways.map(({ url }) => connectGateway(url, fixture.owner.accessToken));
  await Promise.all(sockets.map(({ ready }) => ready));
});
afterAll(async () => {
  for (const socket of sockets ?? []) socket.terminate();
});

const at = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index % items.length];
  if (item === undefined) throw new Error("nothing to choose from");
  return item;
};

/** Resolves when every socket has everything that was answered before. */
async function barrier(channelId: string): Promise<void> {
  const { id } = await postMessage(at(owners, 0), channelId, "barrier");
  await Promise.all(sockets.map((socket) => socket.waitFor("MESSAGE_CREATE", (message) => message.id === id)));
}

async function history(channelId: string): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const before = ids.length === 0 ? "" : `&before=${ids.at(-1)}`;
    const page = await at(owners, 0).get(`/channels/${channelId}/messages?limit=100${before}`);
    const messages = page.expect(200, z.array(Message));
    if (messages.length === 0) return ids.reverse();
    ids.push(...messages.map(({ id }) => id));
  }
}

const rounds = Array.from({ length: modelSteps(100) }, (_, round) => round);

/** Runs the same race for every round, a few at a time; which api gets which side alternates. */
async function raceAll(race: (round: number, one: UserClient, other: UserClient) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < rounds.length; start += 10) {
    const together = rounds.slice(start, start + 10);
    await Promise.all(together.map((round) => race(round, at(owners, round), at(owners, round + 1))));
  }
}

async function messagesFor(channelId: string): Promise<string[]> {
  const sent = await Promise.all(rounds.map((round) => postMessage(at(owners, round), channelId, `race ${round}`)));
  return sent.map(({ id }) => id);
}

/** The last of some events at every socket. */
function lastEvents<Seen>(schema: z.ZodType<Seen>, names: readonly string[], fits: (payload: Seen) => boolean) {
  return sockets.map(({ events }) => {
    const last = events.findLast(({ name, payload }) => {
      const seen = schema.safeParse(payload);
      return names.includes(name) && seen.success && fits(seen.data);
    });
    return last === undefined ? undefined : { name: last.name, payload: schema.parse(last.payload) };
  });
}

test("messages of many senders over two apis reach every socket in the order of history", async () => {
  const channel = await createChannel(fixture.owner, fixture.server.id);
  await Promise.all(
    members.map(async (member, index) => {
      for (let count = 0; count < 40; count += 1) {
        await postMessage(at(member, index + count), channel.id, `${index} ${count}`);
      }
    }),
  );
  await barrier(channel.id);
  const order = await history(channel.id);
  expect(order).toHaveLength(401);
  for (const { events } of sockets) {
    const seen = events.flatMap(({ name, payload }) => (name === "MESSAGE_CREATE" ? [Message.parse(payload)] : []));
    expect(seen.filter(({ channel_id }) => channel_id === channel.id).map(({ id }) => id)).toEqual(order);
  }
});

test("the last MESSAGE_UPDATE says what the message says, and none follows MESSAGE_DELETE", async () => {
  const { id: channelId } = await createChannel(fixture.owner, fixture.server.id);
  const edited = await messagesFor(channelId);
  const deleted = await messagesFor(channelId);
  await raceAll(async (round, one, other) => {
    const [first, second] = [at(edited, round), at(deleted, round)];
    await Promise.all([
      one.patch(`/messages/${first}`, { content: "one" }),
      other.patch(`/messages/${first}`, { content: "other" }),
      one.patch(`/messages/${second}`, { content: "late" }),
      other.delete(`/messages/${second}`),
    ]);
  });
  await barrier(channelId);
  const wrong = [];
  for (const id of edited) {
    const { content } = (await at(owners, 0).get(`/channels/${channelId}/messages/${id}`)).expect(200, Message);
    const last = lastEvents(Message, ["MESSAGE_UPDATE"], (message) => message.id === id);
    if (last.some((event) => event?.payload.content !== content)) wrong.push(id);
  }
  for (const id of deleted) {
    const last = lastEvents(
      z.object({ id: z.string() }),
      ["MESSAGE_UPDATE", "MESSAGE_DELETE"],
      (seen) => seen.id === id,
    );
    if (last.some((event) => event?.name !== "MESSAGE_DELETE")) wrong.push(id);
  }
  expect(wrong).toEqual([]);
});

test("the last event of a reaction and of a pin has the stored state", async () => {
  const { id: channelId } = await createChannel(fixture.owner, fixture.server.id);
  const messages = await messagesFor(channelId);
  await raceAll(async (round, one, other) => {
    const path = `/channels/${channelId}/messages/${at(messages, round)}`;
    await Promise.all([
      one.put(`${path}/reactions/❌`),
      other.delete(`${path}/reactions/❌`),
      one.post(`${path}/pin`),
      other.delete(`${path}/pin`),
    ]);
    await Promise.all([
      one.put(`${path}/reactions/❌`),
      other.delete(`${path}/reactions/❌`),
      one.post(`${path}/pin`),
      other.delete(`${path}/pin`),
    ]);
  });
  await barrier(channelId);
  const About = z.object({ message_id: z.string() });
  const wrong = [];
  for (const id of messages) {
    const path = `/channels/${channelId}/messages/${id}`;
    const reactions = (await at(owners, 0).get(`${path}/reactions`)).expect(200, z.array(z.unknown()));
    const { pinned } = (await at(owners, 0).get(path)).expect(200, Message);
    const reaction = lastEvents(About, ["REACTION_ADD", "REACTION_REMOVE"], (seen) => seen.message_id === id);
    const pin = lastEvents(About, ["MESSAGE_PIN", "MESSAGE_UNPIN"], (seen) => seen.message_id === id);
    const saysReaction = reactions.length > 0 ? "REACTION_ADD" : "REACTION_REMOVE";
    const saysPin = pinned ? "MESSAGE_PIN" : "MESSAGE_UNPIN";
    if (reaction.some((event) => event?.name !== saysReaction)) wrong.push({ id, reaction, saysReaction });
    if (pin.some((event) => event !== undefined && event.name !== saysPin)) wrong.push({ id, pin, saysPin });
  }
  expect(wrong).toEqual([]);
});

test("the last event of a role, of an override and of a poll has the stored state", async () => {
  const { id: channelId } = await createChannel(fixture.owner, fixture.server.id);
  const role = await createRole(fixture.owner, fixture.server.id);
  const created = await at(owners, 0).post(`/channels/${channelId}/polls`, { question: "?", options: ["a", "b"] });
  const poll = Poll.parse(created.expect(201, Message).poll);
  const [first, second] = poll.options;
  const vote = (voter: UserClient, option: typeof first) =>
    voter.post(`/polls/${poll.id}/vote`, { option_id: option?.id });
  const Override = z.object({ id: z.string(), role_id: z.string().nullable(), deny: z.int() });
  const wrong = [];
  for (const round of rounds) {
    const [one, other] = [at(owners, round), at(owners, round + 1)];
    const put = (by: UserClient, deny: number) =>
      by.put(`/channels/${channelId}/overrides`, { role_id: role.id, allow: 0, deny });
    await Promise.all([
      one.patch(`/servers/${fixture.server.id}/roles/${role.id}`, { name: `one ${round}` }),
      other.patch(`/servers/${fixture.server.id}/roles/${role.id}`, { name: `other ${round}` }),
      put(one, 2),
      put(other, 16),
      vote(one, first),
      vote(other, second),
    ]);
    await barrier(channelId);
    const roles = (await one.get(`/servers/${fixture.server.id}/roles`)).expect(200, z.array(Role));
    const overrides = (await one.get(`/channels/${channelId}/overrides`)).expect(200, z.array(Override));
    const votes = (await one.get(`/polls/${poll.id}`)).expect(200, Poll).options.map((option) => option.votes);
    for (const event of lastEvents(Role, ["ROLE_UPDATE"], ({ id }) => id === role.id)) {
      if (event?.payload.name !== roles.find(({ id }) => id === role.id)?.name) wrong.push({ round, event, roles });
    }
    for (const event of lastEvents(Override, ["CHANNEL_OVERRIDE_UPDATE"], ({ role_id }) => role_id === role.id)) {
      if (event?.payload.deny !== overrides[0]?.deny) wrong.push({ round, event, overrides });
    }
    const Vote = z.object({ poll_id: z.string(), updated_poll: Poll });
    for (const event of lastEvents(Vote, ["POLL_VOTE"], ({ poll_id }) => poll_id === poll.id)) {
      const told = event?.payload.updated_poll.options.map((option) => option.votes);
      if (JSON.stringify(told) !== JSON.stringify(votes)) wrong.push({ round, told, votes });
    }
  }
  expect(wrong).toEqual([]);
});
