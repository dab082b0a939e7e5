import { ascending, percentilesInWords, repeat, report } from "./measure.js";
import { createPoster } from "./poster.js";
import { residentBytes } from "./processes.js";
import { startReceiver } from "./receiver.js";
import { withStack } from "./stack.js";
import { createRoom, insertWebhooks } from "./world.js";

const webhooksPerServer = 10;
const messages = 500;
const deadServers = 100;
const messagesPerDeadServer = 9;
const quickMessages = 100;
const lanes = 8;

/**
 * Deliveries per second of one dispatcher that works off a backlog; and with 1,000 webhooks whose receivers hang, what a
 * quick webhook notices of them and how much memory the dispatcher takes.
 */
export async function benchWebhooks(): Promise<void> {
  const quick = await startTimedReceiver(true);
  const hanging = await startTimedReceiver(false);
  await withStack({}, async (stack) => {
    const api = await stack.start("api");
    const post = createPoster(api.url);
    const createStage = async (url: string, webhooks: number) => {
      const { serverId, channelId, userIds } = await createRoom(stack.pool, 1);
      await insertWebhooks(stack.pool, serverId, url, webhooks);
      const auth = stack.headers(userIds[0] ?? "");
      return (content: string) => post(`/channels/${channelId}/messages`, { content }, auth);
    };

    const send = await createStage(quick.url, webhooksPerServer);
    await repeat(messages, lanes, () => send("The quick brown fox jumps over the lazy dog."));
    const dispatcher = await stack.start("webhook-dispatcher");
    const deliveries = messages * webhooksPerServer;
    await quick.until(deliveries);
    const [first = 0, last = 0] = [quick.times[0], quick.times.at(-1)];
    const perSecond = (deliveries - 1) / ((last - first) / 1000);
    report(
      `backlog        ${perSecond.toFixed(0)} deliveries/s  (${deliveries} to ${webhooksPerServer} webhooks; goal: 500)`,
    );

    const restingBytes = await residentBytes(dispatcher.pid());
    for (let n = 0; n < deadServers; n += 1) {
      const sendDead = await createStage(hanging.url, webhooksPerServer);
      await repeat(messagesPerDeadServer, lanes, () => sendDead("x".repeat(1_000)));
    }
    const sendQuick = await createStage(quick.url, 1);
    const delays: number[] = [];
    for (let n = 0; n < quickMessages; n += 1) {
      await sendQuick("still there?");
      const sentAt = performance.now();
      await quick.until(deliveries + n + 1);
      delays.push(performance.now() - sentAt);
    }
    const grownMegabytes = ((await residentBytes(dispatcher.pid())) - restingBytes) / 1024 ** 2;
    report(
      `1,000 dead     ${hanging.times.length} attempts hang or hung, ${deadServers * webhooksPerServer * messagesPerDeadServer} jobs queued, memory grew by ${grownMegabytes.toFixed(0)} MB; a quick webhook's delivery after ${percentilesInWords(ascending(delays))}`,
    );
  }).finally(async () => {
    await quick.close();
    await hanging.close();
  });
}

/** A receiver that notes when each request came, and answers it or hangs. */
async function startTimedReceiver(isAnswering: boolean) {
  const times: number[] = [];
  let wake: () => void = () => undefined;
  const receiver = await startReceiver((request, response) => {
    request.resume();
    times.push(performance.now());
    if (isAnswering) response.writeHead(204).end();
    wake();
  });
  return {
    ...receiver,
    times,
    async until(count: number) {
      while (times.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
