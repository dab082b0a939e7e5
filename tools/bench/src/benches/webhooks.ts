import { waitUntil } from "@parley/testing";
import { bench } from "../bench.js";
import { repeat, report } from "../measure.js";
import { createPoster } from "../poster.js";
import { startReceiver } from "../receiver.js";
import { withStack } from "../stack.js";
import { createRoom, insertWebhooks } from "../world.js";

const lanes = 8;

/** Deliveries per second of one dispatcher that works off a backlog, to receivers that answer at once. */
export default bench(
  { sizes: { webhooks: 10, messages: 500 }, quick: { webhooks: 2, messages: 20 } },
  ({ webhooks, messages }) =>
    withStack({}, async (stack) => {
      const times: number[] = [];
      const receiver = await startReceiver((request, response) => {
        request.resume();
        response.writeHead(204).end();
        times.push(performance.now());
      });
      const post = createPoster((await stack.start("api")).url);
      const { serverId, channelId, userIds } = await createRoom(stack.pool, 1);
      await insertWebhooks(stack.pool, serverId, receiver.url, webhooks);
      const [body, auth] = [
        { content: "The quick brown fox jumps over the lazy dog." },
        stack.headers(userIds[0] ?? ""),
      ];
      await repeat(messages, lanes, () => post(`/channels/${channelId}/messages`, body, auth));
      await stack.start("webhook-dispatcher");
      const deliveries = messages * webhooks;
      await waitUntil(() => times.length >= deliveries, { what: "all deliveries", timeoutMs: 600_000 });
      const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1_000;
      report(
        `${((times.length - 1) / seconds).toFixed(0)} deliveries/s  (goal: 500; ${times.length} to ${webhooks} webhooks)`,
      );
      await receiver.close();
    }),
);
