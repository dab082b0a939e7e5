import { type Channel, LinkPreview, type Message } from "@parley/contracts";
import {
  createClient,
  createServerWithMembers,
  type GatewayClient,
  postMessage,
  type UserClient,
  useMortalStack,
  waitUntil,
} from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { runSql } from "../stages/admin-stage.js";
import { createConnections } from "../stages/connection-stage.js";
import { type PreviewStage, startPreviewStage } from "../stages/link-preview-stage.js";

// Link cards of messages (docs/protocol/messages.md#28.11), seen from two apis and two gateways.

const mortal = useMortalStack();
let stage: PreviewStage;
let web: PreviewStage["web"];
let connections: ReturnType<typeof createConnections>;
let owner: UserClient;
let author: UserClient;
let reader: UserClient;
let channel: Channel;
/** The reader's, with v=2 on each gateway. */
let sockets: GatewayClient[];

beforeAll(async () => {
  stage = await startPreviewStage(mortal.stack);
  ({ web } = stage);
  const scene = await createServerWithMembers(createClient(stage.stack.edgeUrl), 2);
  ({ owner, channel } = scene);
  [author, reader] = scene.members;
  connections = createConnections(stage.stack);
  const { accessToken } = reader;
  sockets = [await connections.open(accessToken, 0, "v=2"), await connections.open(accessToken, 1, "v=2")];
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

/** Waits until no api is to make cards of a message any more. */
const settled = ({ id }: Message) =>
  waitUntil(
    async () =>
      (await runSql(stage.stack.databaseUrl, "SELECT FROM preview_tasks WHERE message_id = $1", [id])).length === 0,
    { what: "the cards of a message" },
  );

test("the cards of an api that dies are made once by another", async () => {
  // Two of one author at a time in each process, so that with three both are at it.
  const pages = Array.from({ length: 5 }, (_, n) => web.hold(`slow ${n}`));
  const messages: Message[] = [];
  for (const { url } of pages) messages.push(await postMessage(author, channel.id, url));
  await waitUntil(() => pages.filter(({ isAsked }) => isAsked()).length === 4, { what: "two pages in each api" });
  const other = await postMessage(owner, channel.id, web.publish("<title>quick</title>"));
  await heardCards(other, 1);
  expect(pages.filter(({ isAsked }) => isAsked())).toHaveLength(4);

  await mortal.stack.apis[1]?.kill();
  await waitUntil(() => pages.filter(({ isGivenUp }) => isGivenUp()).length === 2, {
    what: "the connections of the dead",
  });
  const given = pages.filter(({ isGivenUp }) => isGivenUp());
  for (const page of pages) page.release();
  await waitUntil(() => pages.every(({ isAsked }) => isAsked()));
  for (const page of pages) page.release();
  await waitUntil(() => given.every(({ url }) => web.timesAsked(url) === 2), {
    what: "the pages of the dead api, asked for by the other",
    timeoutMs: 60_000,
  });
  for (const page of pages) page.release();
  for (const [n, message] of messages.entries()) {
    expect(await heardCards(message, 1)).toEqual([[card(pages[n]?.url ?? "", `slow ${n}`)]]);
  }
  await Promise.all(messages.map(settled));
  for (const message of messages) for (const socket of sockets) expect(heardBy(socket, message.id)).toHaveLength(1);
  await mortal.stack.apis[1]?.restart();
});
