import { expect, test } from "vitest";
import { applyEvent } from "./cache-events.js";
import { doubtAfter } from "./cache-rights.js";
import { byId, type CacheState, emptyState } from "./cache-state.js";
import type { GatewayEvent } from "./gateway-options.js";
import type { ChannelOverride, RawServer, Role } from "./generated/index.js";

const created_at = "2026-01-01T00:00:00.000Z";
const role = (id: string, permissions = 1): Role => ({
  id,
  server_id: "s",
  name: id,
  permissions,
  color: "#000000",
  position: 1,
  created_at,
});
const server = (owner_id: string): RawServer => ({
  id: "s",
  name: "Club",
  owner_id,
  icon_url: null,
  is_public: false,
  require_invite: false,
  created_at,
  updated_at: created_at,
});
const override = (of: Partial<ChannelOverride>): ChannelOverride => ({
  id: "o",
  channel_id: "c",
  role_id: null,
  user_id: null,
  allow: 0,
  deny: 1,
  ...of,
});

/** The view of "me" in the server "s": roles "s" (everyone), "held" and "other". */
function seen({ owner = "ada", roleIds = ["held"] as string[] | null } = {}): CacheState {
  const state = emptyState(10);
  state.user = {
    id: "me",
    username: "me",
    email: null,
    avatar_url: null,
    bio: null,
    pronouns: null,
    status: "online",
    custom_status: null,
    activity: null,
    is_admin: false,
    created_at,
  };
  const own = {
    user_id: "me",
    username: "me",
    nickname: null,
    avatar_url: null,
    is_bot: false,
    joined_at: created_at,
    timeout_expires_at: null,
    role_ids: roleIds,
  };
  const roles = byId([role("s"), role("held"), role("other")]);
  state.servers.set("s", { server: server(owner), roles, channels: new Map(), own });
  return state;
}

const doubt = { serverId: "s" };
const shownRole = { role_name: "other", role_color: "#000000" };
const cases: readonly [name: string, event: GatewayEvent, expected: object | null][] = [
  ["a changed role of one's own", { position: null, name: "ROLE_UPDATE", data: role("held", 0) }, doubt],
  ["a changed everyone role", { position: null, name: "ROLE_UPDATE", data: role("s", 0) }, doubt],
  ["a changed role of others", { position: null, name: "ROLE_UPDATE", data: role("other", 0) }, null],
  ["another name of a role", { position: null, name: "ROLE_UPDATE", data: role("held") }, null],
  ["the end of an own role", { position: null, name: "ROLE_DELETE", data: { server_id: "s", role_id: "held" } }, doubt],
  [
    "the end of another role",
    { position: null, name: "ROLE_DELETE", data: { server_id: "s", role_id: "other" } },
    null,
  ],
  [
    "a new role of one's own",
    {
      position: null,
      name: "MEMBER_ROLE_ADD",
      data: { server_id: "s", user_id: "me", role_id: "other", ...shownRole },
    },
    doubt,
  ],
  [
    "a new role of somebody else",
    {
      position: null,
      name: "MEMBER_ROLE_ADD",
      data: { server_id: "s", user_id: "ada", role_id: "other", ...shownRole },
    },
    null,
  ],
  [
    "an override for somebody else",
    { position: null, name: "CHANNEL_OVERRIDE_UPDATE", data: override({ user_id: "ada" }) },
    null,
  ],
  [
    "an override for an own role",
    { position: null, name: "CHANNEL_OVERRIDE_UPDATE", data: override({ role_id: "held" }) },
    doubt,
  ],
  [
    "an own override in a channel that is not known",
    { position: null, name: "CHANNEL_OVERRIDE_UPDATE", data: override({ user_id: "me" }) },
    { channelId: "c" },
  ],
  ["the server's new owner, oneself", { position: null, name: "SERVER_UPDATE", data: server("me") }, doubt],
  ["the server's new owner, somebody else", { position: null, name: "SERVER_UPDATE", data: server("ben") }, null],
];

test.each(cases)("which channels one sees after %s", (_, event, expected) => {
  expect(doubtAfter(seen(), event)).toEqual(expected);
});

test("nothing that binds others hides channels from an owner, until they hand the server over", () => {
  const state = seen({ owner: "me" });
  expect(doubtAfter(state, { position: null, name: "ROLE_UPDATE", data: role("s", 0) })).toBeNull();
  expect(doubtAfter(state, { position: null, name: "SERVER_UPDATE", data: server("ada") })).toEqual(doubt);
});

test("while one's roles are not known each of them may be held", () => {
  const state = seen({ roleIds: null });
  expect(doubtAfter(state, { position: null, name: "ROLE_UPDATE", data: role("other", 0) })).toEqual(doubt);
});

test("events of roles and timeouts change members who are known, oneself among them, and nobody else", () => {
  const state = seen({ roleIds: ["held", "other"] });
  const ada = { user_id: "ada", username: "ada", nickname: null, avatar_url: null, is_bot: false };
  state.members.set("s", { ...ada, joined_at: null, timeout_expires_at: null, role_ids: ["other"] });
  const hear = (event: GatewayEvent) => applyEvent(state, event);
  const to = (user_id: string) => ({ server_id: "s", user_id });
  hear({ position: null, name: "ROLE_DELETE", data: { server_id: "s", role_id: "other" } });
  expect(state.servers.get("s")?.roles.has("other")).toBe(false);
  expect(state.servers.get("s")?.own?.role_ids).toEqual(["held"]);
  expect(state.members.get("s", "ada")?.role_ids).toEqual([]);
  for (const user of ["me", "ada", "unknown"]) {
    hear({ position: null, name: "MEMBER_ROLE_ADD", data: { ...to(user), role_id: "held", ...shownRole } });
  }
  // A role that the member has already counts once.
  expect(state.servers.get("s")?.own?.role_ids).toEqual(["held"]);
  expect(state.members.get("s", "ada")?.role_ids).toEqual(["held"]);
  hear({ position: null, name: "MEMBER_TIMEOUT", data: { ...to("ada"), expires_at: created_at, reason: null } });
  expect(state.members.get("s", "ada")?.timeout_expires_at).toBe(created_at);
  expect(state.members.size).toBe(1);
});

test("the end of a channel, of a role and of a membership takes the overrides with it", () => {
  const state = seen();
  const hear = (event: GatewayEvent) => applyEvent(state, event);
  const overridden = (channel_id: string, role_id: string) =>
    hear({ position: null, name: "CHANNEL_OVERRIDE_UPDATE", data: override({ id: channel_id, channel_id, role_id }) });
  for (const [channel, held] of [
    ["c", "held"],
    ["d", "other"],
    ["e", "held"],
  ] as const)
    overridden(channel, held);
  hear({ position: null, name: "CHANNEL_DELETE", data: { id: "c", server_id: "s" } });
  expect([...state.overrides.keys()]).toEqual(["d", "e"]);
  hear({ position: null, name: "ROLE_DELETE", data: { server_id: "s", role_id: "other" } });
  expect([...state.overrides.keys()]).toEqual(["e"]);
  hear({ position: null, name: "SERVER_LEAVE", data: { server_id: "s", reason: "left" } });
  expect(state.overrides.size).toBe(0);
  expect(state.servers.size).toBe(0);
});
