import { type Channel, DetailedMessage, errorBody, LinkPreview, type Message, permissionBits } from "@parley/contracts";
import {
  assignRole,
  createClient,
  createRole,
  createServerWithMembers,
  type GatewayClient,
  postMessage,
  type RestClient,
  sharedStack,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { runSql } from "../stages/admin-stage.js";
import { createConnections } from "../stages/connection-stage.js";
import { type PreviewStage, startPreviewStage } from "../stages/link-preview-stage.js";

// Link cards of messages (docs/protocol/messages.md#28.11), seen from two apis and two gateways.

let stage: PreviewStage;
let web: PreviewStage["web"];
let connections: ReturnType<typeof createConnections>;
let owner: UserClient;
let author: UserClient;
let reader: UserClient;
let channel: Channel;
/** The reader's: with v=2 on each gateway, and one without. */
let sockets: GatewayClient[];
let oldSocket: GatewayClient;
/** The reader at each api. */
let readers: RestClient[];

beforeAll(async () => {
  stage = await startPreviewStage(await sharedStack());
  ({ web } = stage);
  const scene = await createServerWithMembers(createClient(stage.stack.edgeUrl), 2);
  ({ owner, channel } = scene);
  [author, reader] = scene.members;
  connections = createConnections(stage.stack);
  const { accessToken } = reader;
  sockets = [await connections.open(accessToken, 0, "v=2"), await connections.open(accessToken, 1, "v=2")];
  oldSocket = await connections.open(accessToken, 0);
  readers = stage.stack.apis.map(({ url }) => createClient(url, { authorization: `Bearer ${accessToken}` }));
});
afterAll(async () => {
  connections?.closeAll();
  stage?.close();
});

const card = (url: string, title: string): LinkPreview => ({
  url,
  title,
  description: null,
  image: null,
  site_name: null,
});

/** Every MESSAGE_PREVIEWS of a message that a connection got so far. */
const heardBy = (socket: GatewayClient, message_id: string) =>
  socket.events.filter(({ name, payload }) => name === "MESSAGE_PREVIEWS" && Object(payload).message_id === message_id);

/** Waits until both gateways have sent so many lists of cards of a message. @returns them, the same from both */
async function heardCards({ id }: Pick<Message, "id">, count: number): Promise<LinkPreview[][]> {
  await waitUntil(() => sockets.every((socket) => heardBy(socket, id).length >= count), {
    what: `${count} lists of cards`,
  });
  const [one, other] = sockets.map((socket) => heardBy(socket, id).map(({ payload }) => payload));
  expect(other).toEqual(one);
  const Payload = z.strictObject({
    channel_id: z.literal(channel.id),
    message_id: z.literal(id),
    previews: z.array(LinkPreview.strict()),
  });
  return z
    .array(Payload)
    .parse(one)
    .map(({ previews }) => previews);
}

/** The cards that a message is read with, at each api. */
async function readCards({ id }: Pick<Message, "id">): Promise<(LinkPreview[] | undefined)[]> {
  const address = `/channels/${channel.id}/messages/${id}?include=previews`;
  const read = async (api: RestClient) => (await api.get(address)).expect(200, DetailedMessage.strict()).previews;
  return Promise.all(readers.map(read));
}

const twice = (cards: LinkPreview[]) => [cards, cards];
const edit = (message: Message, content: string) =>
  author.send("PATCH", `/messages/${message.id}`, { body: { content } });
const removal = (user: UserClient, { id }: Message) => user.delete(`/messages/${id}/previews`);
/** Waits until no api is to make cards of a message any more. */
const settled = ({ id }: Message) =>
  waitUntil(
    async () =>
      (await runSql(stage.stack.databaseUrl, "SELECT FROM preview_tasks WHERE message_id = $1", [id])).length === 0,
    { what: "the cards of a message" },
  );

test("the cards of a message come once, on every node, and to those alone who ask for them", async () => {
  const urls = ["one", "two", "three", "four"].map((title) => web.publish(`<title>${title}</title>`));
  const untitled = web.publish("<p>nothing");
  const local = `http://127.0.0.1:${web.port}/private`;
  const message = await postMessage(
    author,
    channel.id,
    `${urls[1]}, (${urls[0]}) ${urls[1]} and ${urls[2]} ${urls[3]}`,
  );
  const cards = [card(urls[1] ?? "", "two"), card(urls[0] ?? "", "one"), card(urls[2] ?? "", "three")];
  expect(await heardCards(message, 1)).toEqual([cards]);
  expect(await readCards(message)).toEqual(twice(cards));
  expect(web.timesAsked(urls[3] ?? "")).toBe(0);

  const body = { content: `a reply ${urls[3]} ${untitled} ${local} \`${urls[0]}\`` };
  const path = `/channels/${channel.id}/messages/${message.id}/thread`;
  const reply = (await author.post(path, body)).expect(201, z.object({ id: z.string() }));
  expect(await heardCards(reply, 1)).toEqual([[card(urls[3] ?? "", "four")]]);
  expect(web.asked.some(({ path: asked }) => asked === "/private")).toBe(false);

  const listed = async (query: string) => {
    const answer = await readers[0]?.get(`/channels/${channel.id}/messages?limit=1${query}`);
    return Object.keys(Object((Array.isArray(answer?.body) ? answer.body : [])[0]));
  };
  const keys = await listed("");
  expect(keys).not.toContain("previews");
  expect(await listed("&include=author,previews,reactions")).toEqual([
    ...[...keys, "reactions", "previews", "server_id", "author"],
  ]);
  await oldSocket.waitFor("THREAD_MESSAGE_CREATE", ({ id }) => id === reply.id);
  expect(oldSocket.events.filter(({ name }) => name === "MESSAGE_PREVIEWS")).toEqual([]);
});

test("the cards of a message follow its edits, also while they are being made", async () => {
  const [first, second] = [web.publish("<title>first</title>"), web.publish("<title>second</title>")];
  const message = await postMessage(author, channel.id, `${first} ${second}`);
  await heardCards(message, 1);
  expect((await edit(message, `only ${second}`)).status).toBe(200);
  expect((await edit(message, "none")).status).toBe(200);
  const slow = web.hold("slow");
  expect((await edit(message, slow.url)).status).toBe(200);
  await waitUntil(() => slow.isAsked());
  const last = web.publish("<title>last</title>");
  expect((await edit(message, last)).status).toBe(200);
  const all = [[card(first, "first"), card(second, "second")], [card(second, "second")], []];
  expect(await heardCards(message, 4)).toEqual([...all, [card(last, "last")]]);
  slow.release();
  await settled(message);
  expect(await readCards(message)).toEqual(twice([card(last, "last")]));
  expect((await author.delete(`/messages/${message.id}`)).status).toBe(204);
  expect(await readCards(message)).toEqual(twice([]));
  expect(
    await runSql(stage.stack.databaseUrl, "SELECT FROM message_previews WHERE message_id = $1", [message.id]),
  ).toEqual([]);
});

test("cards that the author or a moderator removes do not come back, and nobody else removes them", async () => {
  const url = web.publish("<title>unwanted</title>");
  const [shown, making] = [await postMessage(author, channel.id, url), web.hold("late")];
  await heardCards(shown, 1);
  const refused = await removal(reader, shown);
  expect([refused.status, refused.body]).toEqual([403, errorBody("You cannot remove the link cards of this message")]);
  for (const _ of [1, 2]) expect((await removal(author, shown)).status).toBe(204);
  expect(await heardCards(shown, 2)).toEqual([[card(url, "unwanted")], []]);
  expect((await edit(shown, `again ${url}`)).status).toBe(200);

  const role = await createRole(owner, channel.server_id, { permissions: permissionBits.MANAGE_MESSAGES });
  await assignRole(owner, role, reader);
  const pending = await postMessage(author, channel.id, making.url);
  await waitUntil(() => making.isAsked());
  expect((await removal(reader, pending)).status).toBe(204);
  making.release();
  const after = await postMessage(author, channel.id, web.publish("<title>after</title>"));
  await heardCards(after, 1);
  await settled(shown);
  for (const message of [shown, pending]) expect(await readCards(message)).toEqual(twice([]));
  expect([
    heardBy(sockets[0] ?? oldSocket, shown.id).length,
    heardBy(sockets[0] ?? oldSocket, pending.id).length,
  ]).toEqual([2, 0]);
  const missing = await removal(author, { ...shown, id: channel.id });
  expect([missing.status, missing.body]).toEqual([404, errorBody("Message not found")]);
});

test("an author with many slow pages holds up nobody", async () => {
  // Two of one author at a time in each process.
  const pages = Array.from({ length: 5 }, (_, n) => web.hold(`slow ${n}`));
  const messages: Message[] = [];
  for (const { url } of pages) messages.push(await postMessage(author, channel.id, url));
  await waitUntil(() => pages.filter(({ isAsked }) => isAsked()).length === 4, { what: "two pages in each api" });
  const other = await postMessage(owner, channel.id, web.publish("<title>quick</title>"));
  await heardCards(other, 1);
  expect(pages.filter(({ isAsked }) => isAsked())).toHaveLength(4);
  for (const page of pages) page.release();
  await waitUntil(() => pages.every(({ isAsked }) => isAsked()), { what: "the page that waited" });
  for (const page of pages) page.release();
  await Promise.all(messages.map(settled));
});
