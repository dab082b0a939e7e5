import { randomUUID } from "node:crypto";
import { Channel, ChannelOverride, Role, SearchPage } from "@parley/contracts";
import {
  createChannel,
  createClient,
  createRandom,
  createRole,
  createServerWithMembers,
  postMessage,
  seed,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createConnections } from "../stages/connection-stage.js";

/** How many times rights are changed and all is compared; more by the environment. About one of them a second. */
const rounds = Number(process.env.VISIBILITY_ROUNDS ?? 16);

// Bits of docs/protocol/permissions.md#3.1. The formula is written out here again, so that it also judges the code that
// all services share.
const [view, administrator, all] = [1, 8192, 32767];

/** The changes of a server that its visibility follows from. */
interface Model {
  everyone: number;
  /** Bits of each role. */
  readonly roles: Map<string, number>;
  /** Roles of each member. */
  readonly held: Map<string, Set<string>>;
  /** Overrides of each channel, by the server, role or member that they are for. */
  readonly overrides: Map<string, Map<string, ChannelOverride>>;
}

/** docs/protocol/permissions.md#3.2 for a member who is not the owner. */
function mayView(model: Model, serverId: string, userId: string, channelId: string): boolean {
  const roles = [...(model.held.get(userId) ?? [])];
  let bits = roles.reduce((sum, role) => sum | (model.roles.get(role) ?? 0), model.everyone);
  if (bits & administrator) return true;
  const overrides = model.overrides.get(channelId);
  for (const targets of [[serverId], roles, [userId]]) {
    const found = targets.flatMap((target) => overrides?.get(target) ?? []);
    for (const { deny } of found) bits &= ~deny;
    for (const { allow } of found) bits |= allow;
  }
  return (bits & view) !== 0;
}

async function createWorld() {
  const random = createRandom(seed);
  const stack = await sharedStack();
  const connections = createConnections(stack);
  onTestFinished(() => connections.closeAll());
  const { server, channel, owner, members } = await createServerWithMembers(createClient(stack.edgeUrl), 5);
  const channels = [channel.id];
  while (channels.length < 5) channels.push((await createChannel(owner, server.id)).id);
  const model: Model = {
    everyone: 123,
    roles: new Map(),
    held: new Map(members.map(({ user }) => [user.id, new Set()])),
    overrides: new Map(channels.map((id) => [id, new Map()])),
  };
  const open = async ({ accessToken }: UserClient) => [
    await connections.open(accessToken, 0),
    await connections.open(accessToken, 1),
    await connections.open(accessToken, 0, "v=2"),
    await connections.open(accessToken, 1, "v=2"),
  ];
  const sockets = await Promise.all(members.map(open));
  return { random, connections, server, owner, members, channels, model, sockets, ofOwner: await open(owner) };
}
type World = Awaited<ReturnType<typeof createWorld>>;

/** Makes one change, in the server and in the model. */
async function change({ random, server, owner, members, channels, model }: World): Promise<string> {
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)];
  const bits = () => Math.floor(random() * (all + 1));
  /** Half of the sums have the bit that matters; few have the one that makes everything else idle. */
  const permissions = () => (random() < 0.1 ? bits() : bits() & ~administrator);
  const rolesPath = `/servers/${server.id}/roles`;
  const roleIds = [...model.roles.keys()];
  const [role, channelId, member] = [pick(roleIds), pick(channels) ?? "", pick(members)?.user.id ?? ""];
  const overrides = model.overrides.get(channelId) ?? new Map();
  const held = model.held.get(member) ?? new Set();
  const choice = random();
  if (choice < 0.1) {
    model.everyone = bits() & ~administrator;
    (await owner.patch(`${rolesPath}/${server.id}`, { permissions: model.everyone })).expect(200, Role);
    return `everyone ${model.everyone}`;
  }
  if (role === undefined || (choice < 0.2 && roleIds.length < 5)) {
    const made = await createRole(owner, server.id, { permissions: permissions() });
    model.roles.set(made.id, made.permissions);
    return `role ${made.id} ${made.permissions}`;
  }
  if (choice < 0.25) {
    expect((await owner.delete(`${rolesPath}/${role}`)).status).toBe(204);
    model.roles.delete(role);
    for (const roles of model.held.values()) roles.delete(role);
    for (const targets of model.overrides.values()) targets.delete(role);
    return `no role ${role}`;
  }
  if (choice < 0.35) {
    const changed = (await owner.patch(`${rolesPath}/${role}`, { permissions: permissions() })).expect(200, Role);
    model.roles.set(role, changed.permissions);
    return `role ${role} ${changed.permissions}`;
  }
  if (choice < 0.55) {
    const path = `/servers/${server.id}/members/${member}/roles/${role}`;
    const take = held.has(role);
    expect((await (take ? owner.delete(path) : owner.put(path))).status).toBe(204);
    if (take) held.delete(role);
    else held.add(role);
    return `${member} ${take ? "without" : "with"} ${role}`;
  }
  const target = pick([server.id, role, role, member]) ?? "";
  const former = overrides.get(target);
  if (former !== undefined && random() < 0.5) {
    expect((await owner.delete(`/channels/${channelId}/overrides/${former.id}`)).status).toBe(204);
    overrides.delete(target);
    return `no override of ${channelId} for ${target}`;
  }
  const [wanted, touched] = [bits(), bits() | (random() < 0.8 ? view : 0)];
  const body = { allow: wanted & touched, deny: ~wanted & touched };
  const of = target === member ? { user_id: target } : { role_id: target };
  const put = await owner.put(`/channels/${channelId}/overrides`, { ...of, ...body });
  overrides.set(target, put.expect(200, ChannelOverride));
  return `override of ${channelId} for ${target}: ${JSON.stringify(body)}`;
}

const ids = z.array(z.object({ id: z.string() }));

/** Posts into every channel, and compares the view of each member with the model. */
async function compare(world: World, posted: number): Promise<void> {
  const { owner, members, channels, sockets, ofOwner } = world;
  const word = `w${randomUUID().replaceAll("-", "")}x`;
  const marks = sockets.map((list) => list.map((socket) => socket.mark()));
  // Right after the answer to the last change: members who lost a channel by it no longer get these.
  const messages = await Promise.all(channels.map(async (id) => (await postMessage(owner, id, word)).id));
  // Events that the owner's connections have are past the fan-out of both gateways.
  for (const socket of ofOwner)
    for (const message of messages) await socket.waitFor("MESSAGE_CREATE", ({ id }) => id === message);

  const lookedAt = members.map((member, at) => {
    const heard = async (number: number) => {
      const socket = sockets[at]?.[number];
      await socket?.heartbeat();
      const later = socket?.events.slice(marks[at]?.[number]).filter(({ name }) => name === "MESSAGE_CREATE");
      return later?.map(({ payload }) => String(Object(payload).channel_id)).sort();
    };
    return compareOf(world, { member, messages, word, posted, heard });
  });
  await Promise.all(lookedAt);
}

interface Look {
  readonly member: UserClient;
  /** The newest message of each channel, with a word that no other has, and how many were posted before and with it. */
  readonly messages: readonly string[];
  readonly word: string;
  readonly posted: number;
  /** Where a connection of the member has got messages since they were posted. */
  readonly heard: (number: number) => Promise<readonly string[] | undefined>;
}

async function compareOf(world: World, { member, messages, word, posted, heard }: Look): Promise<void> {
  const { connections, server, channels, model } = world;
  const { id: userId } = member.user;
  const viewed = channels.filter((id) => mayView(model, server.id, userId, id)).sort();
  const said = (way: string) => `${way} of ${userId}`;

  for (const number of [0, 1, 2, 3])
    expect(await heard(number), said(`events of connection ${number}`)).toEqual(viewed);
  const listed = (await member.get(`/servers/${server.id}/channels`)).expect(200, z.array(Channel));
  expect(listed.map(({ id }) => id).sort(), said("channels")).toEqual(viewed);

  const found = (await member.get(`/servers/${server.id}/search?q=${word}`)).expect(200, SearchPage);
  expect(found.results.map(({ channel_id }) => channel_id).sort(), said("search")).toEqual(viewed);
  expect(found.total, said("search")).toBe(viewed.length);

  for (const [index, channelId] of channels.entries()) {
    const answer = await member.get(`/channels/${channelId}/messages?limit=1`);
    if (viewed.includes(channelId)) expect(answer.expect(200, ids)).toMatchObject([{ id: messages[index] }]);
    else expect(answer.status, said(`messages in ${channelId}`)).toBe(403);
  }
  for (const [gateway, query] of [[0, ""] as const, [1, "v=2"] as const]) {
    const socket = await connections.open(member.accessToken, gateway, query);
    const { unread_counts, channel_overrides, server_roles } = await socket.ready;
    socket.terminate();
    const unread = new Map(unread_counts.map(({ channel_id, unread_count }) => [channel_id, unread_count]));
    expect(unread, said(`unread counts, ${query}`)).toEqual(new Map(viewed.map((id) => [id, posted])));
    const overrides = new Map(Object.entries(channel_overrides).map(([id, list]) => [id, new Set(list)]));
    const expected = viewed.map((id) => [id, new Set(model.overrides.get(id)?.values())] as const);
    expect(overrides, said(`overrides, ${query}`)).toEqual(new Map(expected.filter(([, list]) => list.size > 0)));
    const roles = new Map(server_roles[server.id]?.map(({ id, permissions }) => [id, permissions]));
    const everyone = query === "" ? [] : [[server.id, model.everyone] as const];
    expect(roles, said(`roles, ${query}`)).toEqual(new Map([...model.roles, ...everyone]));
  }
}

test(`each member sees, in every way, what the formula of their roles and overrides says, with seed ${seed}`, async () => {
  const world = await createWorld();
  const changes: string[] = [];
  try {
    for (let round = 1; round <= rounds; round += 1) {
      for (let count = Math.floor(world.random() * 6); count >= 0; count -= 1) changes.push(await change(world));
      await compare(world, round);
    }
  } catch (error) {
    const last = changes.slice(-12).join("\n");
    throw new Error(`Failed with seed ${seed}, the last changes were\n${last}\n${String(error)}`, { cause: error });
  }
});
