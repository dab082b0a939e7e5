import { connectGateway, createClient, createServerWithMembers, startStack, waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { connectCrowd } from "../stages/crowd.js";

/** Gateways look every 20 s how many are connected. */
const decisionMs = 60_000;

test("a server with more than 250 connected members is passive, and no more with fewer than 200", async ({
  onTestFinished,
}) => {
  // Its own: hundreds of connections load its gateways.
  const stack = await startStack({ apis: 1, gateways: 2 });
  onTestFinished(stack.stop);
  const { members, server } = await createServerWithMembers(createClient(stack.edgeUrl), 1);
  const [ada] = members;
  const crowd = await connectCrowd(stack, server.id, 250);
  const query = `token=${encodeURIComponent(ada.accessToken)}&v=2&view=on`;
  const client = connectGateway(stack.gateways[0]?.url ?? "", "", { query });
  await client.ready;
  const passive = () => client.frames.flatMap((frame) => (/"passive":\[([^\]]*)\]/.exec(frame) ?? []).slice(1)).at(-1);
  await waitUntil(() => passive() === `"${server.id}"`, { what: "a passive server", timeoutMs: decisionMs });
  await crowd.leave(150);
  await waitUntil(() => passive() === "", { what: "a server that is not passive", timeoutMs: decisionMs });
  expect(crowd.clients).toHaveLength(250);
  await Promise.all([client.close(), crowd.leave(0)]);
}, 180_000);
