import type {
  AnyDmChannel,
  DetailedMessage,
  DispatchEvents,
  DmMessage,
  NotificationSettings,
  Ready,
  User,
} from "@parley/client";
import { type FakeServer, type PageRequest, refuse } from "./fake-server.js";
import { type Community, instance, notifications, profile } from "./fixtures.js";

/** The data of the page's user. Tests change it, and the page gets it with its next read. */
export interface World {
  me: User;
  communities: Community[];
  directChannels: AnyDmChannel[];
  /** By channel, the oldest message first. */
  directMessages: Record<string, DmMessage[]>;
  notifications: NotificationSettings;
  /** Further parts of READY. */
  ready: Partial<Ready>;
}

/** A user with servers. */
export const world = (me: User, communities: Community[] = [], changes: Partial<World> = {}): World => ({
  me,
  communities,
  directChannels: [],
  directMessages: {},
  notifications: notifications(),
  ready: {},
  ...changes,
});

/** The presence of somebody else in a world: a member, or the other one of a conversation. */
export function presenceIn(
  { me, communities, directChannels }: World,
  userId: string,
): DispatchEvents["PRESENCE_UPDATE"] | undefined {
  const found =
    communities.flatMap(({ members }) => members).find(({ user_id }) => user_id === userId) ??
    directChannels.map(({ recipient }) => recipient).find(({ id }) => id === userId);
  if (found === undefined || userId === me.id) return undefined;
  const { status, custom_status, activity } = found;
  return { user_id: userId, status, custom_status, activity };
}

/** READY of a world. */
export function readyOf({ me, communities, directChannels, ready }: World): Ready {
  return {
    user: me,
    servers: communities.map(({ server: { member_count: _count, ...server } }) => server),
    dm_channels: directChannels,
    unread_counts: [],
    mention_counts: [],
    server_roles: Object.fromEntries(
      communities.map(({ server, everyone, roles }) => [server.id, [...roles, everyone]]),
    ),
    channel_overrides: {},
    ...ready,
  };
}

/** Answers the requests of the login. */
export function answerAnybody(server: FakeServer): void {
  server.on("GET /instance/sign-in", () => ({ password: true, oidc: null, passkeys: false }));
  server.on("GET /instance", () => instance());
}

/** Answers the requests of every page; a test's own answers come before these. */
export function answerFromWorld(server: FakeServer, world: World): void {
  const communityOf = ({ params: { id } }: PageRequest): Community | undefined =>
    world.communities.find((community) => community.server.id === id);
  const ofServer = (address: string, read: (community: Community, request: PageRequest) => unknown) =>
    server.on(address, (request) => {
      const found = communityOf(request);
      return found === undefined ? refuse(404, "Server not found") : read(found, request);
    });

  if (world.me.is_admin) server.on("GET /admin/registrations", () => ({ registrations: [], total: 0 }));
  server.on("GET /users/@me", () => world.me);
  server.on("GET /users/@me/friends", () => ({ friends: [], incoming: [], outgoing: [] }));
  server.on("GET /users/@me/blocks", () => ({ blocks: [] }));
  server.on("GET /users/@me/inbox", () => ({ items: [], unread: { mention: 0, reply: 0, thread: 0 } }));
  server.on("GET /users/@me/saved", () => ({ saved: [] }));
  server.on("GET /users/@me/reminders", () => ({ reminders: [] }));
  server.on("GET /users/@me/scheduled-messages", () => ({ scheduled_messages: [] }));
  server.on("GET /users/@me/drafts", () => ({ drafts: [] }));
  server.on("PUT /users/@me/drafts/:channel", () => undefined);
  server.on("GET /users/@me/notifications", () => world.notifications);
  ofServer("GET /servers/:id", ({ server: found }) => found);
  ofServer("GET /servers/:id/channels", ({ channels }) => channels);
  ofServer("GET /servers/:id/emojis", ({ emojis }) => emojis);
  ofServer("GET /servers/:id/roles", ({ roles, everyone }) => [...roles, everyone]);
  ofServer("GET /servers/:id/invites", () => []);
  ofServer("GET /servers/:id/onboarding", () => ({ enabled: false, welcome: null, channels: [], questions: [] }));
  ofServer("GET /servers/:id/rules", () => ({ rules: null, accepted: true }));
  ofServer("GET /servers/:id/raid", () => ({ until: null, joined: 0 }));
  ofServer("GET /servers/:id/reports", () => []);
  ofServer("GET /servers/:id/members/count", ({ members }) => ({
    total: members.length,
    online: members.filter(({ status }) => status !== "offline").length,
  }));
  ofServer("GET /servers/:id/members", ({ members }, { query }) => {
    const status = query.get("status");
    const wanted = (query.get("q") ?? "").toLowerCase();
    return members.filter(
      (one) =>
        (status === null || (status === "offline") === (one.status === "offline")) &&
        [one.username, one.nickname ?? ""].some((name) => name.toLowerCase().includes(wanted)),
    );
  });
  server.on("GET /servers/:id/members/:user", ({ params: { id, user } }) => {
    const found = world.communities.find((community) => community.server.id === id);
    return found?.members.find(({ user_id }) => user_id === user) ?? refuse(404, "Member not found");
  });
  server.on("GET /channels/:id", ({ params: { id } }) => {
    const found = world.communities.flatMap(({ channels }) => channels).find((one) => one.id === id);
    return found ?? refuse(404, "Channel not found");
  });
  server.on("GET /channels/:id/messages", ({ params: { id = "" }, query }) =>
    pageOf(
      world.communities.flatMap(({ messages }) => messages[id] ?? []),
      query,
    ),
  );
  server.on("GET /channels/:id/messages/:message", ({ params: { id = "", message } }) => {
    const sent = world.communities.flatMap(({ messages }) => messages[id] ?? []).find((one) => one.id === message);
    return sent ?? refuse(404, "Message not found");
  });
  server.on("GET /channels/:id/messages/:message/reactions", ({ params: { id = "", message } }) => {
    const sent = world.communities.flatMap(({ messages }) => messages[id] ?? []).find((one) => one.id === message);
    return sent?.reactions ?? [];
  });
  server.on("GET /dm-channels/:id/messages", ({ params: { id = "" }, query }) =>
    pageOf(world.directMessages[id] ?? [], query),
  );
  server.on("GET /dm-channels/:id/messages/:message", ({ params: { id = "", message } }) => {
    const sent = world.directMessages[id]?.find((one) => one.id === message);
    return sent ?? refuse(404, "Message not found");
  });
  server.on("GET /channels/:id/pinned-messages", () => []);
  server.on("GET /channels/:id/commands", () => ({ bots: [] }));
  server.on("GET /channels/:id/voice", () => []);
  server.on("GET /channels/:id/go-live", () => refuse(404, "No active Go Live session"));
  server.on("GET /users/:id", ({ params: { id } }) => {
    const found = world.communities.flatMap(({ members }) => members).find(({ user_id }) => user_id === id);
    return found === undefined
      ? refuse(404, "User not found")
      : profile({ id: found.user_id, username: found.username });
  });
  server.on("GET /embed-pictures/key", () => ({ key: "1.feed", expires_at: "2099-01-01T00:00:00.000Z" }));
  ofServer("GET /servers/:id/threads", () => ({ threads: [] }));
  server.on("POST /threads/:id/ack", () => undefined);
  server.on("POST /channels/:id/ack", () => undefined);
  server.on("POST /dm-channels/:id/ack", () => undefined);
}

/** One page of a history, as the server gives it: the newest first. */
function pageOf<Item extends DetailedMessage | DmMessage>(items: readonly Item[], query: URLSearchParams): Item[] {
  const limit = Number(query.get("limit") ?? 50);
  const [before, after] = [query.get("before"), query.get("after")];
  const newestFirst = items.toReversed();
  const since = query.get("since");
  if (since !== null) return newestFirst.filter(({ created_at }) => created_at >= since).slice(-limit);
  if (after !== null) return newestFirst.filter(({ id }) => id > after).slice(-limit);
  return newestFirst.filter(({ id }) => before === null || id < before).slice(0, limit);
}
