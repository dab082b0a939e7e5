import { createCache, Permission } from "@parley/client";
import { createGate } from "@parley/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CacheScene, register, startCacheScene } from "./cached-member.js";

const { VIEW_CHANNEL, SEND_MESSAGES, MANAGE_CHANNELS } = Permission;
let scene: CacheScene;

beforeEach(async () => {
  scene = await startCacheScene();
});
afterEach(() => scene?.close());

test("a burst of changes of rights is one read or two, and until then the former list is there and marked", async () => {
  const { follow, owner, serverId } = scene;
  const secret = await owner.channels.create(serverId, { name: "secret" });
  const open = await owner.channels.create(serverId, { name: "open" });
  const role = await owner.roles.create(serverId, { name: "Guests" });
  await owner.overrides.put(secret.id, { role_id: role.id, allow: 0, deny: VIEW_CHANNEL });
  const { id, cache, gateway, lists, hold } = await follow();
  expect([cache.channels(serverId), cache.permissions(serverId), lists()]).toEqual([[], null, 0]);
  await Promise.all([cache.load(serverId), cache.load(serverId)]);
  await cache.load(serverId);
  const names = () => cache.channels(serverId).map(({ name }) => name);
  expect([names(), cache.isCurrent(serverId), lists()]).toEqual([["secret", "open"], true, 1]);

  // Changes for others, and of roles that the user does not have, are no reason.
  await owner.roles.update(serverId, role.id, { permissions: SEND_MESSAGES });
  const atOnce: unknown[] = [];
  gateway.on("MEMBER_ROLE_ADD", ({ role_id }) => {
    atOnce.push(cache.member(serverId, id)?.role_ids, names(), cache.isCurrent(serverId), lists(), role_id);
  });
  const gate = createGate();
  hold(gate.opened);
  const changed = gateway.collect("CHANNEL_OVERRIDE_UPDATE", { max: 12 });
  await owner.roles.assign(serverId, id, role.id);
  for (let change = 0; change < 12; change += 1) {
    const deny = change % 2 === 0 ? VIEW_CHANNEL : SEND_MESSAGES;
    await owner.overrides.put(open.id, { role_id: role.id, allow: MANAGE_CHANNELS, deny });
  }
  await changed;
  gate.open();
  await cache.load(serverId);
  expect(atOnce).toEqual([[role.id], ["secret", "open"], false, 1, role.id]);
  expect(names()).toEqual(["open"]);
  // Another one where the first had begun already.
  expect(lists()).toBeLessThanOrEqual(3);
  const inServer = cache.permissions(serverId) ?? 0;
  expect(cache.permissions(serverId, open.id)).toBe((inServer & ~SEND_MESSAGES) | MANAGE_CHANNELS);
  expect(cache.permissions(serverId, secret.id)).toBeNull();
});

test("members in memory are bounded, and those used last stay", async () => {
  const { edgeUrl, follow, serverId } = scene;
  const { cache, gateway } = await follow({ membersMax: 2 });
  const ids: string[] = [];
  for (let index = 0; index < 3; index += 1) {
    const [guest, id] = await register(edgeUrl);
    const joined = gateway.waitFor("MEMBER_JOIN", { filter: ({ member }) => member.user_id === id });
    await guest.servers.join(serverId);
    await joined;
    ids.push(id);
    cache.member(serverId, ids[0] ?? "");
  }
  expect(cache.memberCount).toBe(2);
  expect(ids.map((id) => cache.member(serverId, id)?.user_id ?? null)).toEqual([ids[0], null, ids[2]]);
});

test("the author of a message is a member of the cache by name, and with their roles once they are read", async () => {
  const { follow, owner, serverId } = scene;
  const { cache, gateway } = await follow();
  const channel = await owner.channels.create(serverId, { name: "general" });
  const role = await owner.roles.create(serverId, { name: "Guests" });
  const { id, username } = await owner.users.me();
  const write = async () => {
    const written = gateway.waitFor("MESSAGE_CREATE");
    await owner.messages.send(channel.id, { content: "e4" });
    await written;
  };
  await write();
  expect(cache.member(serverId, id)).toMatchObject({ username, nickname: null, is_bot: false, role_ids: null });
  expect(cache.permissions(serverId, null, id)).toBeNull();
  await cache.fetchMember(serverId, id);
  const given = gateway.waitFor("MEMBER_ROLE_ADD");
  await owner.roles.assign(serverId, id, role.id);
  await given;
  await write();
  expect(cache.member(serverId, id)).toMatchObject({ username, role_ids: [role.id] });
  expect(cache.permissions(serverId, null, id)).toBe(32767);
});

test("a mention by somebody blocked is unread and no mention, once the blocks are read or made", async () => {
  const { follow, owner, serverId } = scene;
  const channel = await owner.channels.create(serverId, { name: "general" });
  const { id } = await owner.users.me();
  const { member, cache, gateway } = await follow();
  const { username } = await member.users.me();
  const mention = async () => {
    const written = gateway.waitFor("MESSAGE_CREATE");
    await owner.messages.send(channel.id, { content: `@${username} e4` });
    await written;
    const { unread_count, mention_count } = cache.mark(channel.id);
    return [unread_count, mention_count];
  };
  expect(await mention()).toEqual([1, 1]);
  const told = gateway.waitFor("BLOCK_UPDATE");
  await member.blocks.add(id);
  await told;
  expect(await mention()).toEqual([2, 0]);
  const taken = gateway.waitFor("BLOCK_UPDATE");
  await member.blocks.remove(id);
  await taken;
  expect(await cache.fetchBlocks()).toEqual([]);
  expect(await mention()).toEqual([3, 3]);

  await member.blocks.add(id);
  expect((await cache.fetchBlocks()).map((user) => user.id)).toEqual([id]);
  expect(await mention()).toEqual([4, 0]);
});

test("a cache needs READY and all events: neither v=1 nor a position nor a store goes with it", async () => {
  const { owner, serverId } = scene;
  const cache = createCache(owner);
  expect(() => owner.gateway({ cache, v: 1 })).toThrow("needs v=2");
  expect(() => owner.gateway({ cache, position: "x" })).toThrow("begins with READY");
  const store = { read: () => null, write: () => undefined };
  await expect(owner.gateway({ cache }).consume(() => undefined, { store })).rejects.toThrow("no store");
  await expect(cache.load(serverId)).rejects.toThrow("no server");
});
