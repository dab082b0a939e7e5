import {
  connectGateway,
  createClient,
  createServerWithMembers,
  type GatewayClient,
  postMessage,
  useMortalStack,
} from "@parley/testing";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";

const mortal = useMortalStack();
const Numbered = z.object({ s: z.string().optional() });

const lastCursor = ({ frames }: GatewayClient) =>
  frames.map((frame) => Numbered.parse(JSON.parse(frame)).s).findLast((s) => s !== undefined) ?? "";
const contentsOf = ({ events }: GatewayClient) =>
  events.flatMap(({ name, payload }) => (name === "MESSAGE_CREATE" ? [Object(payload).content] : []));

test("a numbered client whose gateway is killed between two messages gets the second one once, on another gateway", async () => {
  const { stack } = mortal;
  const { owner, channel, members } = await createServerWithMembers(createClient(stack.edgeUrl), 1);
  const [{ accessToken }] = members;
  const open = (gateway: 0 | 1, cursor: string) => {
    const query = `token=${encodeURIComponent(accessToken)}&s=${cursor}`;
    const connection = connectGateway(stack.gateways[gateway]?.url ?? "", "", { query });
    onTestFinished(() => connection.terminate());
    return connection;
  };
  const say = (content: string) => postMessage(owner, channel.id, content);
  const hears = (connection: GatewayClient, text: string) =>
    connection.waitFor("MESSAGE_CREATE", ({ content }) => content === text);

  const before = open(0, "");
  await before.ready;
  await say("first");
  await hears(before, "first");
  await stack.gateways[0]?.kill();
  await before.closed;
  await say("second");
  const after = open(1, lastCursor(before));
  await hears(after, "second");
  await say("third");
  await hears(after, "third");
  await stack.gateways[0]?.restart();
  expect(after.events.map(({ name }) => name)).toContain("RESUMED");
  expect([contentsOf(before), contentsOf(after)]).toEqual([["first"], ["second", "third"]]);
});
