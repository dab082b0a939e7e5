import { type Channel, permissionBits } from "@parley/contracts";
import type { Answer, RestClient } from "@parley/testing";
import { pngPixel } from "../../stages/sample-files.js";
import { groupOperations } from "./group-operations.js";
import type { ComparedDmMessage, ComparedMessage } from "./lists.js";
import type { Operation, Scene } from "./scene.js";

const { VIEW_CHANNEL, SEND_MESSAGES, MANAGE_MESSAGES, KICK_MEMBERS, BAN_MEMBERS, CREATE_INVITES, MANAGE_CHANNELS } =
  permissionBits;

/** The first permissions of the everyone role (docs/protocol/permissions.md#24.1). */
const everyonePermissions = 123;

const inChannel =
  (work: (scene: Scene, channel: Channel) => Promise<Answer> | null): Operation =>
  (scene) => {
    const channel = scene.pick(Object.values(scene.server.channels));
    return channel === undefined ? null : work(scene, channel);
  };

/** With a message that fulfils the predicate. */
const withMessage = (
  work: (scene: Scene, message: ComparedMessage, path: string) => Promise<Answer> | null,
  fits: (message: ComparedMessage, scene: Scene) => boolean = () => true,
): Operation =>
  inChannel((scene, { id }) => {
    const messages = Object.values(scene.server.contents[id]?.messages ?? {});
    // The newest ones, so that several do something with the same.
    const message = scene.pick(messages.filter((one) => fits(one, scene)).slice(-12));
    return message === undefined ? null : work(scene, message, `/channels/${id}/messages/${message.id}`);
  });

/** With one of the newest messages of a conversation. */
const withDm =
  (work: (scene: Scene, message: ComparedDmMessage) => Promise<Answer> | null): Operation =>
  (scene) => {
    const messages = scene.pick(Object.values(scene.lists.dmMessages));
    const message = scene.pick(Object.values(messages ?? {}).slice(-6));
    return message === undefined ? null : work(scene, message);
  };

const isOwn = ({ author_id }: ComparedMessage, { userId }: Scene) => author_id === userId;
const isRoot = ({ thread_id }: ComparedMessage) => thread_id === null;
const later = () => new Date(Date.now() + 86_400_000).toISOString();

function form(payload: unknown, files: number): FormData {
  const body = new FormData();
  if (payload !== undefined) body.append("payload_json", JSON.stringify(payload));
  for (let at = 0; at < files; at += 1) body.append("files", new Blob([Buffer.from(pngPixel)]), `pixel-${at}.png`);
  return body;
}

function emojiForm(name: string): FormData {
  const body = new FormData();
  body.append("name", name);
  body.append("image", new Blob([Buffer.from(pngPixel)]), "image.png");
  return body;
}

const another = ({ pick, everybody, userId }: Scene) => pick(everybody.filter((id) => id !== userId)) ?? "";
const emojis = ["👍", "🎉", "♟️"];

/** Everything that a user may do to the lists of docs/protocol/events.md#23.1, with how often it is done. */
export const operations: Readonly<Record<string, readonly [number, Operation]>> = {
  send: [16, inChannel(({ as, number }, { id }) => as.post(`/channels/${id}/messages`, { content: `text ${number}` }))],
  sendFiles: [
    3,
    inChannel(({ as, number }, { id }) =>
      as.send("POST", `/channels/${id}/messages`, { body: form({ content: `files ${number}` }, 2) }),
    ),
  ],
  reply: [
    6,
    withMessage(({ as, number }, _, path) => as.post(`${path}/thread`, { content: `reply ${number}` }), isRoot),
  ],
  edit: [
    5,
    withMessage(({ as, number }, { id }) => as.patch(`/messages/${id}`, { content: `edited ${number}` }), isOwn),
  ],
  delete: [4, withMessage(({ as }, { id }) => as.delete(`/messages/${id}`))],
  deleteMany: [1, inChannel(({ as, server }, { id }) => deleteNewest(as, id, server.contents[id]?.messages))],
  attach: [
    5,
    withMessage(
      ({ as }, { id }) => as.send("POST", `/messages/${id}/attachments`, { body: form(undefined, 1) }),
      isOwn,
    ),
  ],
  react: [
    8,
    withMessage(({ as, pick }, _, path) => as.put(`${path}/reactions/${encodeURIComponent(pick(emojis) ?? "")}`)),
  ],
  unreact: [
    3,
    withMessage(
      ({ as }, { reactions = [] }, path) => {
        const own = reactions.find(({ me }) => me);
        return own === undefined ? null : as.delete(`${path}/reactions/${encodeURIComponent(own.emoji)}`);
      },
      ({ reactions = [] }) => reactions.some(({ me }) => me),
    ),
  ],
  clearReactions: [
    1,
    withMessage(
      ({ as }, _, path) => as.delete(`${path}/reactions`),
      ({ reactions = [] }) => reactions.length > 0,
    ),
  ],
  pin: [4, withMessage(({ as }, _, path) => as.post(`${path}/pin`))],
  unpin: [
    3,
    withMessage(
      ({ as }, _, path) => as.delete(`${path}/pin`),
      ({ pinned }) => pinned,
    ),
  ],
  poll: [
    3,
    inChannel(({ as, number }, { id }) =>
      as.post(`/channels/${id}/polls`, { question: `question ${number}`, options: ["yes", "no"] }),
    ),
  ],
  vote: [
    5,
    withMessage(
      ({ as, pick }, { poll }) => as.post(`/polls/${poll?.id}/vote`, { option_id: pick(poll?.options ?? [])?.id }),
      ({ poll }) => poll !== null,
    ),
  ],
  schedule: [
    3,
    inChannel(({ as, number }, { id }) =>
      as.post(`/channels/${id}/events`, { name: `event ${number}`, starts_at: later() }),
    ),
  ],
  reschedule: [
    3,
    ({ as, number, pick, server }) => {
      const event = pick(Object.values(server.events));
      return event === undefined
        ? null
        : as.patch(`/events/${event.id}`, { name: `event ${number}`, starts_at: later() });
    },
  ],
  callOff: [
    1,
    ({ as, pick, server }) => {
      const event = pick(Object.values(server.events));
      return event === undefined ? null : as.delete(`/events/${event.id}`);
    },
  ],
  markRead: [5, inChannel(({ as }, { id }) => as.post(`/channels/${id}/ack`))],
  openDm: [1, (scene) => scene.as.post("/dm-channels", { user_id: another(scene) })],
  sendDm: [
    5,
    ({ as, pick, lists, number }) => {
      const dm = pick(Object.values(lists.dms));
      return dm === undefined ? null : as.post(`/dm-channels/${dm.id}/messages`, { content: `direct ${number}` });
    },
  ],
  sendDmFiles: [
    1,
    ({ as, pick, lists, number }) => {
      const dm = pick(Object.values(lists.dms));
      const body = form({ content: `direct files ${number}` }, 2);
      return dm === undefined ? null : as.send("POST", `/dm-channels/${dm.id}/messages`, { body });
    },
  ],
  replyToDm: [
    1,
    withDm(({ as, number }, { id, channel_id }) =>
      as.post(`/dm-channels/${channel_id}/messages`, { content: `direct reply ${number}`, reply_to: id }),
    ),
  ],
  editDm: [2, withDm(({ as, number }, { id }) => as.patch(`/dm-messages/${id}`, { content: `edited ${number}` }))],
  deleteDm: [2, withDm(({ as }, { id }) => as.delete(`/dm-messages/${id}`))],
  attachToDm: [
    2,
    withDm(({ as }, { id }) => as.send("POST", `/dm-messages/${id}/attachments`, { body: form(undefined, 1) })),
  ],
  reactToDm: [
    3,
    withDm(({ as, pick }, { id }) => as.put(`/dm-messages/${id}/reactions/${encodeURIComponent(pick(emojis) ?? "")}`)),
  ],
  unreactToDm: [
    2,
    withDm(({ as, pick }, { id }) =>
      as.delete(`/dm-messages/${id}/reactions/${encodeURIComponent(pick(emojis) ?? "")}`),
    ),
  ],
  markDmRead: [
    3,
    ({ as, pick, lists }) => {
      const dm = pick(Object.values(lists.dms));
      return dm === undefined ? null : as.post(`/dm-channels/${dm.id}/ack`);
    },
  ],
  ...groupOperations,
  befriend: [2, (scene) => scene.as.put(`/users/@me/friends/${another(scene)}`)],
  unfriend: [1, (scene) => scene.as.delete(`/users/@me/friends/${another(scene)}`)],
  block: [1, (scene) => scene.as.put(`/users/@me/blocks/${another(scene)}`)],
  unblock: [2, (scene) => scene.as.delete(`/users/@me/blocks/${another(scene)}`)],
  notifications: [
    2,
    ({ as, server, random }) => {
      const level = random() < 0.5 ? "all" : null;
      return as.patch("/users/@me/notifications", { servers: { [server.server.id]: level && { level } } });
    },
  ],
  profile: [
    3,
    ({ as, number }) => as.patch("/users/@me", { bio: `bio ${number}`, avatar_url: `https://a.test/${number}` }),
  ],
  rename: [
    3,
    (scene) => {
      const { as, server, number, random } = scene;
      const who = random() < 0.5 ? "@me" : another(scene);
      return as.patch(`/servers/${server.server.id}/members/${who}`, { nickname: `nickname ${number}` });
    },
  ],
  updateServer: [3, ({ as, server, number }) => as.patch(`/servers/${server.server.id}`, { name: `server ${number}` })],
  handOver: [
    1,
    (scene) => {
      const { as, server, password } = scene;
      return as.post(`/servers/${server.server.id}/owner`, { user_id: another(scene), password });
    },
  ],
  createChannel: [
    2,
    ({ as, server, number }) => as.post(`/servers/${server.server.id}/channels`, { name: `channel ${number}` }),
  ],
  updateChannel: [3, inChannel(({ as, number }, { id }) => as.patch(`/channels/${id}`, { topic: `topic ${number}` }))],
  deleteChannel: [
    1,
    inChannel(({ as, server }, { id }) =>
      Object.keys(server.channels).length < 3 ? null : as.delete(`/channels/${id}`),
    ),
  ],
  override: [
    4,
    inChannel((scene, { id }) => {
      const { as, pick, random, server } = scene;
      const role = pick(Object.values(server.roles));
      const target = role !== undefined && random() < 0.5 ? { role_id: role.id } : { user_id: another(scene) };
      const [allow, deny] = pick([
        [VIEW_CHANNEL, 0],
        [0, VIEW_CHANNEL],
        [0, SEND_MESSAGES],
      ]) ?? [0, 0];
      return as.put(`/channels/${id}/overrides`, { ...target, allow, deny });
    }),
  ],
  deleteOverride: [
    3,
    inChannel(({ as, pick, server }, { id }) => {
      const override = pick(Object.values(server.contents[id]?.overrides ?? {}));
      return override === undefined ? null : as.delete(`/channels/${id}/overrides/${override.id}`);
    }),
  ],
  createRole: [
    2,
    ({ as, server, number }) => as.post(`/servers/${server.server.id}/roles`, { name: `role ${number}` }),
  ],
  updateRole: [
    3,
    ({ as, pick, server, number }) => {
      const role = pick(Object.values(server.roles));
      const permissions = pick([0, MANAGE_MESSAGES | MANAGE_CHANNELS, CREATE_INVITES, BAN_MEMBERS | KICK_MEMBERS]);
      const changes = { name: `role ${number}`, permissions };
      return role === undefined ? null : as.patch(`/servers/${server.server.id}/roles/${role.id}`, changes);
    },
  ],
  updateEveryone: [
    2,
    ({ as, pick, server: { server } }) => {
      const hidden = everyonePermissions & ~VIEW_CHANNEL;
      const permissions = pick([
        everyonePermissions,
        everyonePermissions & ~CREATE_INVITES,
        hidden,
        everyonePermissions,
      ]);
      return as.patch(`/servers/${server.id}/roles/${server.id}`, { permissions });
    },
  ],
  deleteRole: [
    1,
    ({ as, pick, server }) => {
      const role = pick(Object.values(server.roles));
      return role === undefined ? null : as.delete(`/servers/${server.server.id}/roles/${role.id}`);
    },
  ],
  assignRole: [
    4,
    (scene) => {
      const { as, pick, server } = scene;
      const role = pick(Object.values(server.roles));
      const path = `/servers/${server.server.id}/members/${another(scene)}/roles/${role?.id}`;
      return role === undefined ? null : as.put(path);
    },
  ],
  unassignRole: [
    2,
    ({ as, pick, server }) => {
      const member = pick(Object.values(server.members ?? {}).filter(({ roles }) => roles.length > 0));
      const path = `/servers/${server.server.id}/members/${member?.user_id}/roles/${member?.roles[0]?.id}`;
      return member === undefined ? null : as.delete(path);
    },
  ],
  createInvite: [2, ({ as, server }) => as.post(`/servers/${server.server.id}/invites`, {})],
  revokeInvite: [
    2,
    ({ as, pick, server }) => {
      const invite = pick(Object.values(server.invites ?? {}));
      return invite === undefined ? null : as.delete(`/servers/${server.server.id}/invites/${invite.id}`);
    },
  ],
  createEmoji: [
    2,
    ({ as, server, number }) =>
      as.send("POST", `/servers/${server.server.id}/emojis`, { body: emojiForm(`emoji_${number}`) }),
  ],
  deleteEmoji: [
    1,
    ({ as, pick, server }) => {
      const emoji = pick(Object.values(server.emojis));
      return emoji === undefined ? null : as.delete(`/servers/${server.server.id}/emojis/${emoji.id}`);
    },
  ],
  timeout: [2, (scene) => scene.as.post(moderated(scene, "timeout"), { duration_minutes: 1_000 })],
  endTimeout: [3, (scene) => scene.as.delete(moderated(scene, "timeout"))],
  kick: [1, (scene) => scene.as.post(moderated(scene, "kick"))],
  ban: [1, (scene) => scene.as.post(moderated(scene, "ban"), { reason: `reason ${scene.number}` })],
  banForAWhile: [1, (scene) => scene.as.post(moderated(scene, "ban"), { expires_in_minutes: 1_000 })],
  unban: [
    3,
    ({ as, pick, server }) => {
      const ban = pick(Object.values(server.bans ?? {}));
      return ban === undefined ? null : as.delete(`/servers/${server.server.id}/bans/${ban.user_id}`);
    },
  ],
  leave: [1, ({ as, server }) => as.delete(`/servers/${server.server.id}/leave`)],
};

const deleteNewest = (as: RestClient, channelId: string, messages: object = {}) =>
  as.post(`/channels/${channelId}/messages/bulk-delete`, { message_ids: Object.keys(messages).slice(-3) });

function moderated(scene: Scene, action: string): string {
  return `/servers/${scene.server.server.id}/members/${another(scene)}/${action}`;
}

/**
 * Only one of these at a time: events that a client missed between two changes of its rights it could only read again.
 */
export const changesOfRights: ReadonlySet<string> = new Set([
  "override",
  "deleteOverride",
  "updateRole",
  "deleteRole",
  "assignRole",
  "unassignRole",
  "handOver",
]);
