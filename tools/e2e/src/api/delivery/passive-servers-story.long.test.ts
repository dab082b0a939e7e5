import {
  connectGateway,
  createChannel,
  createClient,
  createServerWithMembers,
  type GatewayClient,
  postMessage,
  startStack,
  type TestStack,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { connectCrowd } from "../stages/crowd.js";

let stack: TestStack;
beforeAll(async () => {
  const limits = { gateway: { passiveRule, passiveIntervalMs: 100 } };
  // Its own: servers are large from a few members on.
  stack = await startStack({ apis: 2, gateways: 2, limits });
});
afterAll(() => stack?.stop());

const passiveRule = { above: 10, below: 8 };

const Frame = z.object({
  op: z.string(),
  t: z.string().nullable(),
  d: z.record(z.string(), z.unknown()).nullable(),
  s: z.string().optional(),
});
const framesOf = ({ frames }: GatewayClient) => frames.map((frame) => Frame.parse(JSON.parse(frame)));
const Activity = z.object({
  channels: z.array(
    z.object({
      channel_id: z.string(),
      last_message_id: z.string(),
      unread_count: z.number(),
      mention_count: z.number(),
    }),
  ),
});

/** The last counts of a channel in a connection's CHANNEL_ACTIVITY. */
const toldOf = (client: GatewayClient, channelId: string) =>
  framesOf(client)
    .flatMap(({ t, d }) => (t === "CHANNEL_ACTIVITY" ? Activity.parse(d).channels : []))
    .findLast(({ channel_id }) => channel_id === channelId);
const contentsOf = (client: GatewayClient) =>
  framesOf(client).flatMap(({ t, d }) => (t === "MESSAGE_CREATE" || t === "THREAD_MESSAGE_CREATE" ? [d?.content] : []));
const cursorOf = (client: GatewayClient) => framesOf(client).findLast(({ s }) => s !== undefined)?.s ?? "";
const untilPassive = (client: GatewayClient, ...servers: string[]) =>
  waitUntil(
    () => {
      const said = framesOf(client).findLast(({ d }) => d !== null && "passive" in d);
      return JSON.stringify(said?.d?.passive) === JSON.stringify(servers);
    },
    { what: "the passive servers" },
  );

function open(gateway: number, user: UserClient, query: string): GatewayClient {
  const token = encodeURIComponent(user.accessToken);
  return connectGateway(stack.gateways[gateway]?.url ?? "", "", { query: `token=${token}&v=2&${query}` });
}

async function view(client: GatewayClient, ...channel_ids: string[]) {
  const { length: before } = client.frames;
  client.send("VIEW", { channel_ids });
  await waitUntil(
    () =>
      framesOf(client)
        .slice(before)
        .some(({ t }) => t === "VIEW_ACK"),
    { what: "VIEW_ACK" },
  );
}

test("of a large server a connection gets what it shows and what concerns its user, the numbers of the rest, all of it again after the death of its gateway, and everything once the server is small", async () => {
  const { owner, members, server, channel } = await createServerWithMembers(createClient(stack.edgeUrl), 2);
  const [ada, ben] = members;
  if (ada === undefined || ben === undefined) throw new Error("no members");
  const other = await createChannel(owner, server.id, { name: "other" });
  const crowd = await connectCrowd(stack, server.id, passiveRule.above);
  const client = open(0, ada, "s=&view=on");
  await client.ready;
  await untilPassive(client, server.id);

  await view(client, channel.id);
  const own = await postMessage(ada, other.id, "Mine");
  await postMessage(ben, channel.id, "In view");
  const root = await postMessage(ben, other.id, "Left out");
  await ben.post(`/channels/${other.id}/messages`, { content: "An answer", reply_to: own.id });
  await postMessage(ben, other.id, `@${ada.username} hello`);
  await ada.post(`/channels/${other.id}/messages/${root.id}/thread`, { content: "I follow" });
  await client.waitFor("NOTIFICATIONS_UPDATE");
  await ben.post(`/channels/${other.id}/messages/${root.id}/thread`, { content: "A reply" });
  await client.waitFor("THREAD_MESSAGE_CREATE", ({ content }) => content === "A reply");
  expect(contentsOf(client)).toEqual(["Mine", "In view", "An answer", `@${ada.username} hello`, "I follow", "A reply"]);
  const fresh = open(1, ada, "view=on");
  const { unread_counts, mention_counts } = await fresh.ready;
  await waitUntil(() => toldOf(client, other.id) !== undefined, { what: "CHANNEL_ACTIVITY" });
  expect(toldOf(client, other.id)).toMatchObject({ unread_count: 3, mention_count: 1 });
  expect(unread_counts).toContainEqual({ channel_id: other.id, unread_count: 3 });
  expect(mention_counts).toEqual([{ channel_id: other.id, count: 1 }]);

  await stack.gateways[0]?.kill();
  await client.closed;
  await postMessage(ben, channel.id, "While away");
  const last = await postMessage(ben, other.id, "Left out while away");
  const continued = open(1, ada, `s=${cursorOf(client)}&view=${channel.id}`);
  await waitUntil(() => toldOf(continued, other.id)?.last_message_id === last.id, { what: "CHANNEL_ACTIVITY" });
  expect(toldOf(continued, other.id)).toMatchObject({ unread_count: 4, mention_count: 1 });
  expect(framesOf(continued).find(({ t }) => t === "RESUMED")?.d).toMatchObject({ replayed: 1, passive: [server.id] });
  expect(contentsOf(continued)).toEqual(["While away"]);

  await crowd.leave(5);
  await untilPassive(continued);
  await postMessage(ben, other.id, "For all");
  await continued.waitFor("MESSAGE_CREATE", ({ content }) => content === "For all");
  await Promise.all([fresh.close(), continued.close(), crowd.leave(0)]);
});
