import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { AuthResponse, Channel, Server } from "@parley/contracts";
import { percentile, report } from "./measure.js";
import { createPoster } from "./poster.js";
import { startBenchStack } from "./stack.js";

const webhooksPerServer = 10;
const messages = 500;
const deadServers = 100;
const messagesPerDeadServer = 9;
const quickMessages = 100;

/**
 * Deliveries per second of one dispatcher that works off a backlog; and with 1,000 webhooks whose receivers hang, what a
 * quick webhook notices of them and how much memory the dispatcher takes.
 */
export async function benchWebhooks(): Promise<void> {
  const stack = await startBenchStack();
  const quick = await listen((answer) => answer());
  const hanging = await listen(() => undefined);
  try {
    const api = await stack.start("api");
    const post = createPoster(api.url);
    const account = { username: "bench", password: "benchmark" };
    const { access_token } = AuthResponse.parse(await post("/auth/register", account));
    const auth = { authorization: `Bearer ${access_token}` };
    const createStage = async (url: string, webhooks: number) => {
      const server = Server.parse(await post("/servers", { name: "bench" }, auth));
      const channel = Channel.parse(await post(`/servers/${server.id}/channels`, { name: "bench" }, auth));
      const webhook = { name: "bench", url, event_types: ["message.created"] };
      for (let n = 0; n < webhooks; n += 1) await post(`/servers/${server.id}/webhooks`, webhook, auth);
      return (content: string) => post(`/channels/${channel.id}/messages`, { content }, auth);
    };

    const send = await createStage(quick.url, webhooksPerServer);
    await repeat(messages, () => send("The quick brown fox jumps over the lazy dog."));
    const dispatcher = await stack.start("webhook-dispatcher");
    const deliveries = messages * webhooksPerServer;
    await quick.until(deliveries);
    const [first = 0, last = 0] = [quick.times[0], quick.times.at(-1)];
    const perSecond = (deliveries - 1) / ((last - first) / 1000);
    report(
      `backlog        ${perSecond.toFixed(0)} deliveries/s  (${deliveries} to ${webhooksPerServer} webhooks; goal: 500)`,
    );

    const restingBytes = await residentBytes(dispatcher.url);
    for (let n = 0; n < deadServers; n += 1) {
      const sendDead = await createStage(hanging.url, webhooksPerServer);
      await repeat(messagesPerDeadServer, () => sendDead("x".repeat(1_000)));
    }
    const sendQuick = await createStage(quick.url, 1);
    const delays: number[] = [];
    for (let n = 0; n < quickMessages; n += 1) {
      await sendQuick("still there?");
      const sentAt = performance.now();
      await quick.until(deliveries + n + 1);
      delays.push(performance.now() - sentAt);
    }
    delays.sort((a, b) => a - b);
    const [p50, p99] = [percentile(delays, 0.5), percentile(delays, 0.99)];
    const grownMegabytes = ((await residentBytes(dispatcher.url)) - restingBytes) / 1024 ** 2;
    report(
      `1,000 dead     ${hanging.times.length} attempts hang or hung, ${deadServers * webhooksPerServer * messagesPerDeadServer} jobs queued, memory grew by ${grownMegabytes.toFixed(0)} MB; a quick webhook's delivery after p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms`,
    );
  } finally {
    quick.close();
    hanging.close();
    await stack.stop();
  }
}

/** Runs an operation so many times, a few at once. */
async function repeat(times: number, operation: () => Promise<unknown>): Promise<void> {
  let left = times;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      await operation();
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
}

async function residentBytes(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes\S* (\S+)/m.exec(text)?.[1]);
}

/** A receiver that notes when each request came. */
async function listen(onRequest: (answer: () => void) => void) {
  const times: number[] = [];
  let wake: () => void = () => undefined;
  const server = createServer((request, response) => {
    request.resume();
    times.push(performance.now());
    onRequest(() => response.writeHead(204).end());
    wake();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = portOf(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    times,
    async until(count: number) {
      while (times.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === "object" && address !== null ? address.port : 0;
}
