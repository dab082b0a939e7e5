import { DmChannel, Message, type Server } from "@parley/contracts";
import {
  createChannel,
  createServer,
  joinServer,
  type MailReader,
  postMessage,
  type UserClient,
} from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type MailStage, startMailStage } from "./mails-fixture.js";

/** Everything that one case needs, apart from the others. */
interface Place {
  reader: MailReader;
  ann: UserClient;
  server: Server;
  channelId: string;
}
interface Case {
  what: string;
  isMailed: boolean;
  /** Settings to change, beside mails. */
  settings?: (place: Place) => object;
  /** Sends a message that the reader may miss; by default a mention by name. @returns the message */
  send?: (place: Place) => Promise<{ id: string }>;
  /** Runs before the job looks at the message. */
  soon?: (place: Place, id: string) => Promise<unknown>;
  /** Runs after that, and before the mail. */
  later?: (place: Place, id: string) => Promise<unknown>;
}

let stage: MailStage;
const path = "/users/@me/notifications";
const greeting = "well played";

const mention = ({ ann, channelId, reader }: Place) => postMessage(ann, channelId, `@${reader.username} ${greeting}`);
const mentionAll = ({ ann, channelId }: Place) => postMessage(ann, channelId, `@everyone ${greeting}`);
const reply = async ({ ann, channelId, reader }: Place) => {
  const { id } = await postMessage(reader, channelId, "e4?");
  const body = { content: greeting, reply_to: id };
  return (await ann.post(`/channels/${channelId}/messages`, body)).expect(201, Message);
};
const inThread = async ({ ann, channelId, reader }: Place, root: string) =>
  (
    await ann.post(`/channels/${channelId}/messages/${root}/thread`, { content: `@${reader.username} ${greeting}` })
  ).expect(201, Message);
const threadMention = async (place: Place) => {
  const { id } = await postMessage(place.ann, place.channelId, "a root");
  return inThread(place, id);
};
const openDirect = async ({ ann, reader }: Place) =>
  (await ann.post("/dm-channels", { user_id: reader.user.id })).expect(201, DmChannel);
const direct = async (place: Place) => {
  const { id } = await openDirect(place);
  return (await place.ann.post(`/dm-channels/${id}/messages`, { content: greeting })).expect(201, {
    parse: (body: unknown) => ({ id: String(Object(body).id), channel_id: id }),
  });
};
const change = async (reader: MailReader, changes: object) =>
  expect((await reader.patch(path, changes)).status).toBe(200);
const muteDirect = async ({ reader }: Place, id: string) => {
  const [row] = await stage.sql("SELECT channel_id FROM dm_messages WHERE id = $1", [id]);
  await change(reader, { channels: { [Object(row).channel_id]: { muted_until: "forever" } } });
};
const ackDirect = async ({ reader }: Place, id: string) => {
  const [row] = await stage.sql("SELECT channel_id FROM dm_messages WHERE id = $1", [id]);
  expect((await reader.post(`/dm-channels/${Object(row).channel_id}/ack`)).status).toBe(204);
};
const ack = async ({ reader, channelId }: Place) =>
  expect((await reader.post(`/channels/${channelId}/ack`)).status).toBe(204);
const inServer = ({ server }: Place, entry: object) => ({ servers: { [server.id]: entry } });
const inChannel = ({ channelId }: Place, entry: object) => ({ channels: { [channelId]: entry } });

const cases: readonly Case[] = [
  { what: "a mention by name", isMailed: true },
  { what: "a mention of everyone", isMailed: true, send: mentionAll },
  { what: "a reply to one's message", isMailed: true, send: reply },
  { what: "a mention in a thread", isMailed: true, send: threadMention },
  { what: "a direct message", isMailed: true, send: direct },
  {
    what: "a message that mentions nobody",
    isMailed: false,
    send: ({ ann, channelId }) => postMessage(ann, channelId, greeting),
  },
  {
    what: "one's own mention of oneself",
    isMailed: false,
    send: ({ reader, channelId }) => postMessage(reader, channelId, `@${reader.username} ${greeting}`),
  },
  { what: "a mention that was read at once", isMailed: false, soon: ack },
  { what: "a mention that was read before the mail", isMailed: false, later: ack },
  {
    what: "a mention of everyone in the time between leaving and joining again",
    isMailed: false,
    send: async (place) => {
      const { reader, server } = place;
      await ack(place);
      expect((await reader.delete(`/servers/${server.id}/leave`)).status).toBe(204);
      const sent = await mentionAll(place);
      await joinServer(reader, server.id);
      return sent;
    },
  },
  { what: "a direct message that was read at once", isMailed: false, send: direct, soon: ackDirect },
  { what: "a direct message that was read before the mail", isMailed: false, send: direct, later: ackDirect },
  {
    what: "a mention that was deleted",
    isMailed: false,
    later: async ({ ann }, id) => expect((await ann.delete(`/messages/${id}`)).status).toBe(204),
  },
  {
    what: "a direct message that was deleted",
    isMailed: false,
    send: direct,
    later: async ({ ann }, id) => expect((await ann.delete(`/dm-messages/${id}`)).status).toBe(204),
  },
  {
    what: "a mention that was edited away",
    isMailed: false,
    later: async ({ ann }, id) => expect((await ann.patch(`/messages/${id}`, { content: greeting })).status).toBe(200),
  },
  { what: "a muted server", isMailed: false, settings: (place) => inServer(place, { muted_until: "forever" }) },
  { what: "a muted channel", isMailed: false, settings: (place) => inChannel(place, { muted_until: "forever" }) },
  {
    what: "a server that was muted until a while ago",
    isMailed: true,
    settings: (place) => inServer(place, { muted_until: "2020-01-01T00:00:00.000Z" }),
  },
  {
    what: "a channel that was muted before the mail",
    isMailed: false,
    later: (place) => change(place.reader, inChannel(place, { muted_until: "forever" })),
  },
  { what: "a muted conversation", isMailed: false, send: direct, soon: muteDirect },
  { what: "the default nothing", isMailed: false, settings: () => ({ default: { level: "nothing" } }) },
  {
    what: "a server with mentions under the default nothing",
    isMailed: true,
    settings: (place) => ({ default: { level: "nothing" }, ...inServer(place, { level: "mentions" }) }),
  },
  {
    what: "a channel with nothing in a server with all",
    isMailed: false,
    settings: (place) => ({ ...inServer(place, { level: "all" }), ...inChannel(place, { level: "nothing" }) }),
  },
  {
    what: "a thread with nothing",
    isMailed: false,
    send: async (place) => {
      const { id } = await postMessage(place.ann, place.channelId, "a root");
      await change(place.reader, { threads: { [id]: { level: "nothing" } } });
      return inThread(place, id);
    },
  },
  {
    what: "a thread with mentions in a channel with nothing",
    isMailed: true,
    settings: (place) => inChannel(place, { level: "nothing" }),
    send: async (place) => {
      const { id } = await postMessage(place.ann, place.channelId, "a root");
      await change(place.reader, { threads: { [id]: { level: "mentions" } } });
      return inThread(place, id);
    },
  },
  {
    what: "everyone where that is suppressed",
    isMailed: false,
    settings: (place) => inServer(place, { suppress_everyone: true }),
    send: mentionAll,
  },
  {
    what: "a name where everyone is suppressed",
    isMailed: true,
    settings: (place) => inServer(place, { suppress_everyone: true }),
  },
  {
    what: "somebody blocked",
    isMailed: false,
    later: async ({ reader, ann }) => expect((await reader.put(`/users/@me/blocks/${ann.user.id}`)).status).toBe(204),
  },
  {
    what: "a direct message of somebody blocked",
    isMailed: false,
    send: direct,
    later: async ({ reader, ann }) => expect((await reader.put(`/users/@me/blocks/${ann.user.id}`)).status).toBe(204),
  },
  {
    what: "a channel that may not be viewed any more",
    isMailed: false,
    later: async ({ ann, server, channelId }) => {
      const body = { role_id: server.id, allow: 0, deny: 1 };
      expect((await ann.put(`/channels/${channelId}/overrides`, body)).status).toBe(200);
    },
  },
  {
    what: "a server that was left",
    isMailed: false,
    later: async ({ reader, server }) => expect((await reader.delete(`/servers/${server.id}/leave`)).status).toBe(204),
  },
  {
    what: "an address that is not verified any more",
    isMailed: false,
    later: ({ reader }) => stage.sql("UPDATE users SET email_verified_at = NULL WHERE id = $1", [reader.user.id]),
  },
  {
    what: "a disabled account",
    isMailed: false,
    later: ({ reader }) => stage.sql("UPDATE users SET disabled_at = now() WHERE id = $1", [reader.user.id]),
  },
  { what: "mails that were turned off", isMailed: false, later: ({ reader }) => change(reader, { mail: "off" }) },
  { what: "mails that are off", isMailed: false, settings: () => ({ mail: "off" }) },
  {
    what: "mails that were turned off and on again",
    isMailed: false,
    later: async ({ reader }) => {
      await change(reader, { mail: "off" });
      await change(reader, { mail: "mentions" });
    },
  },
];

const readers = new Map<string, MailReader>();
const atATime = 8;

/** Runs the steps before the job looks at messages. @returns the steps after it */
async function prepare({ what, settings, send = mention, soon, later }: Case) {
  const [ann, reader] = [await stage.client.register(), await stage.register()];
  readers.set(what, reader);
  const server = await createServer(ann, { is_public: true });
  const { id: channelId } = await createChannel(ann, server.id);
  await joinServer(reader, server.id);
  const place = { ann, reader, server, channelId };
  if (settings !== undefined) await change(reader, settings(place));
  const { id } = await send(place);
  await soon?.(place, id);
  return () => later?.(place, id);
}

beforeAll(async () => {
  stage = await startMailStage();
  const steps: (() => Promise<unknown> | undefined)[] = [];
  // An api hashes so many passwords at a time; a hundred that come together would wait too long.
  for (let from = 0; from < cases.length; from += atATime) {
    steps.push(...(await Promise.all(cases.slice(from, from + atATime).map(prepare))));
  }
  await stage.untilCollected();
  for (const step of steps) await step();
  await stage.makeDue([...readers.values()]);
  await stage.untilSettled([...readers.values()]);
});
afterAll(() => stage?.stop());

test.each(cases.filter(({ isMailed }) => isMailed).map(({ what }) => what))("one mail mentions %s", (what) => {
  const mails = stage.mailsTo(readers.get(what) ?? expect.fail(what));
  expect(mails.map(({ text }) => text.includes(greeting))).toEqual([true]);
});

test.each(cases.filter(({ isMailed }) => !isMailed).map(({ what }) => what))("no mail mentions %s", (what) => {
  expect(stage.mailsTo(readers.get(what) ?? expect.fail(what))).toEqual([]);
});
