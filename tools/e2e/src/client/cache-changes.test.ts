import { type Cache, type ParleyClient, Permission } from "@parley/client";
import { createGate, waitUntil } from "@parley/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CacheScene, register, startCacheScene } from "./cached-member.js";

const { VIEW_CHANNEL, SEND_MESSAGES, MANAGE_CHANNELS } = Permission;
const patience = { timeoutMs: 45_000 };
let scene: CacheScene;

beforeEach(async () => {
  scene = await startCacheScene();
});
afterEach(() => scene?.close());

const sorted = <Item>(list: readonly Item[]) =>
  list.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));

/** The cache's data, and the same data from a fresh connection and fresh reads. */
async function compare(cache: Cache, client: ParleyClient) {
  const gateway = client.gateway({ presence: "none" });
  const ready = await gateway.connect();
  gateway.close();
  const channels = (await Promise.all(ready.servers.map(({ id }) => client.channels.list(id)))).flat();
  const members = await Promise.all(ready.servers.map(({ id }) => client.members.list(id)));
  const memberOf = ({ user_id, username, nickname, timeout_expires_at, roles }: (typeof members)[number][number]) => ({
    ...{ user_id, username, nickname, timeout_expires_at },
    role_ids: sorted(roles.map(({ id }) => id)),
  });
  const fresh = {
    isCurrent: true,
    user: { ...ready.user, status: "" },
    servers: ready.servers,
    roles: ready.server_roles,
    channels,
    overrides: channels.map(({ id }) => sorted(ready.channel_overrides[id] ?? [])),
    unread: ready.unread_counts.toSorted((one, other) => (one.channel_id < other.channel_id ? -1 : 1)),
    direct: ready.dm_channels.map(({ id, last_message_at }) => ({ id, last_message_at })),
    members: members.map((list) => sorted(list.map(memberOf))),
  };
  const ids = [...channels, ...ready.dm_channels].map(({ id }) => id).toSorted();
  const unread = ids.map((id) => ({ channel_id: id, unread_count: cache.mark(id).unread_count }));
  const cached = {
    isCurrent: ready.servers.every(({ id }) => cache.isCurrent(id)),
    user: { ...cache.user, status: "" },
    servers: cache.servers,
    roles: Object.fromEntries(cache.servers.map(({ id }) => [id, cache.roles(id)])),
    channels: cache.servers.flatMap(({ id }) => cache.channels(id)),
    overrides: channels.map(({ id }) => sorted(cache.overrides(id))),
    unread: unread.filter(({ unread_count }) => unread_count > 0),
    direct: cache.directChannels.map(({ id, last_message_at }) => ({ id, last_message_at })),
    members: ready.servers.map(({ id }, index) =>
      sorted(
        (members[index] ?? []).flatMap(({ user_id }) => {
          const member = cache.member(id, user_id);
          if (member === null) return [];
          const { joined_at: _, avatar_url: __, is_bot: ___, role_ids, ...rest } = member;
          return { ...rest, role_ids: sorted(role_ids ?? []) };
        }),
      ),
    ),
  };
  return { cached, fresh };
}

/** Waits until the cache equals a fresh connection; shows the differences that remain. */
async function expectFresh(cache: Cache, client: ParleyClient) {
  await waitUntil(async () => {
    const { cached, fresh } = await compare(cache, client);
    return JSON.stringify(sorted(Object.values(cached))) === JSON.stringify(sorted(Object.values(fresh)));
  }, patience).catch(() => undefined);
  const { cached, fresh } = await compare(cache, client);
  expect(cached).toEqual(fresh);
}

test("after a run of changes by others, with the connection cut meanwhile, the cache has what fresh reads have", async () => {
  const { edgeUrl, follow, owner, serverId } = scene;
  const general = await owner.channels.create(serverId, { name: "general" });
  const first = await owner.roles.create(serverId, { name: "First" });
  const hidden = await owner.channels.create(serverId, { name: "hidden" });
  await owner.overrides.put(hidden.id, { role_id: first.id, allow: SEND_MESSAGES, deny: VIEW_CHANNEL });
  const third = await owner.roles.create(serverId, { name: "Third" });
  await owner.overrides.put(hidden.id, { role_id: third.id, allow: SEND_MESSAGES, deny: 0 });
  const { member, id, cache, gateway, cut } = await follow({ load: "all" });
  const denied = await owner.overrides.put(hidden.id, { user_id: id, allow: 0, deny: VIEW_CHANNEL });
  // READY has nothing of a channel that the user may not view.
  gateway.close();
  await gateway.connect();
  await cache.load(serverId);
  await cache.fetchMembers(serverId);
  const [guest, guestId] = await register(edgeUrl);

  const changes: (() => Promise<unknown>)[] = [
    () => owner.roles.assign(serverId, id, first.id),
    () => owner.overrides.delete(hidden.id, denied.id),
    () => guest.servers.join(serverId),
    () => owner.roles.assign(serverId, guestId, first.id),
    () => owner.channels.update(general.id, { topic: "Everything else" }),
    () => owner.overrides.put(hidden.id, { user_id: id, allow: VIEW_CHANNEL, deny: 0 }),
    () => owner.channels.create(serverId, { name: "later" }),
    () => owner.messages.send(general.id, { content: "one" }),
    () => owner.servers.update(serverId, { name: "Chess society" }),
    () => owner.roles.update(serverId, first.id, { permissions: MANAGE_CHANNELS, position: 4 }),
    () => owner.roles.create(serverId, { name: "Second", position: 9 }),
    () => owner.moderation.timeout(serverId, guestId, { duration_minutes: 5 }),
    () => owner.messages.send(hidden.id, { content: "two" }),
    () => member.users.updateMe({ bio: "Likes endgames" }),
    () => member.members.updateMe(serverId, { nickname: "The rook" }),
    () => owner.members.update(serverId, guestId, { nickname: "The pawn" }),
    async () => owner.directMessages.send((await owner.directMessages.open({ user_id: id })).id, { content: "three" }),
    () => member.channels.markRead(general.id),
    () => owner.messages.send(general.id, { content: "four" }),
    () => owner.roles.delete(serverId, first.id),
    async () => owner.channels.delete((await owner.channels.create(serverId, { name: "short" })).id),
    () => owner.moderation.endTimeout(serverId, guestId),
  ];
  for (const [index, change] of changes.entries()) {
    if (index % 4 === 2) cut();
    await change();
  }
  await expectFresh(cache, member);

  const elsewhere = await guest.servers.create({ name: "Go club", is_public: true });
  await guest.channels.create(elsewhere.id, { name: "first stones" });
  await member.servers.join(elsewhere.id);
  await waitUntil(() => cache.isCurrent(elsewhere.id), patience);
  await cache.fetchMembers(elsewhere.id);
  await owner.moderation.kick(serverId, guestId);
  await expectFresh(cache, member);
  await owner.moderation.kick(serverId, id);
  await waitUntil(() => cache.server(serverId) === null, patience);
  await expectFresh(cache, member);
});

test("a channel that is made while the list is being read is in the list", async () => {
  const { follow, owner, serverId } = scene;
  await owner.channels.create(serverId, { name: "general" });
  const { cache, gateway, lists, hold } = await follow();
  const gate = createGate();
  hold(gate.opened);
  const loading = cache.load(serverId);
  await waitUntil(() => lists() === 1);
  const made = gateway.waitFor("CHANNEL_CREATE");
  await owner.channels.create(serverId, { name: "later" });
  await made;
  gate.open();
  await loading;
  expect([cache.channels(serverId).map(({ name }) => name), lists()]).toEqual([["general", "later"], 1]);
});
