import { createClient as createParleyClient } from "@parley/client";
import {
  createClient,
  createServerWithMembers,
  postMessage,
  startStack,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { expect, test } from "vitest";

/** Longer and larger by the environment: `GATEWAY_KILL_SECONDS=60 GATEWAY_KILL_CLIENTS=200`. */
const seconds = Number(process.env.GATEWAY_KILL_SECONDS ?? 15);
const clientCount = Number(process.env.GATEWAY_KILL_CLIENTS ?? 20);

/** A member who stays connected, and what came on all connections. */
function stayConnected(baseUrl: string, { accessToken, refreshToken }: UserClient) {
  const gateway = createParleyClient({ baseUrl, tokens: { accessToken, refreshToken } }).gateway({
    backoff: { baseMs: 200, maxMs: 200 },
  });
  const contents: string[] = [];
  const counts = { ready: 0, resumed: 0 };
  gateway.on("READY", () => (counts.ready += 1));
  gateway.on("RESUMED", () => (counts.resumed += 1));
  gateway.on("MESSAGE_CREATE", ({ content }) => contents.push(content));
  return { connected: gateway.connect(), contents, counts, close: () => gateway.close() };
}

test("gateways are killed one after the other under load: numbered clients lose nothing and get nothing twice", async () => {
  const stack = await startStack({ apis: 1, gateways: 2 });
  try {
    const fixture = await createServerWithMembers(createClient(stack.edgeUrl), clientCount);
    const clients = fixture.members.map((member) => stayConnected(stack.edgeUrl, member));
    await Promise.all(clients.map(({ connected }) => connected));
    const posted: string[] = [];
    let isPosting = true;
    const posting = (async () => {
      while (isPosting) {
        const content = `message ${posted.length}`;
        await postMessage(fixture.owner, fixture.channel.id, content);
        posted.push(content);
      }
    })();
    const until = performance.now() + seconds * 1_000;
    let kills = 0;
    while (performance.now() < until) {
      const gateway = stack.gateways[kills % stack.gateways.length];
      const before = posted.length;
      await gateway?.kill();
      kills += 1;
      await waitUntil(() => posted.length > before + 5, { what: "messages while a gateway is away" });
      await gateway?.restart();
    }
    isPosting = false;
    await posting;
    const last = posted.at(-1);
    await waitUntil(() => clients.every((client) => client.contents.includes(last ?? "")), {
      timeoutMs: 30_000,
      what: "the last message at all clients",
    });
    for (const client of clients) client.close();
    const received = clients.map(({ contents }) => contents);
    const lost = received.map((contents) => posted.filter((content) => !contents.includes(content)).length);
    const repeated = received.map((contents) => contents.length - new Set(contents).size);
    const resumed = sum(clients.map(({ counts }) => counts.resumed));
    process.stdout.write(
      `gateway kills: ${kills} kills, ${posted.length} messages to ${clients.length} clients, ${resumed} continued, ` +
        `${sum(lost)} lost, ${sum(repeated)} repeated\n`,
    );
    expect(clients.map(({ counts }) => counts.ready)).toEqual(clients.map(() => 1));
    for (const contents of received) expect(contents).toEqual(posted);
    expect(resumed).toBeGreaterThanOrEqual(kills);
  } finally {
    await stack.stop();
  }
}, 180_000);

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
