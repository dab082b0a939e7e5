import { createClient as createParleyClient } from "@parley/client";
import {
  createClient,
  createServerWithMembers,
  postMessage,
  type ServerFixture,
  startStack,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { expect, test } from "vitest";

/**
 * Longer and larger by the environment; a minute with 200 clients under 200 messages a second:
 * `GATEWAY_KILL_SECONDS=60 GATEWAY_KILL_CLIENTS=200 GATEWAY_KILL_MESSAGES=200`.
 */
const seconds = Number(process.env.GATEWAY_KILL_SECONDS ?? 15);
const clientCount = Number(process.env.GATEWAY_KILL_CLIENTS ?? 20);
/** Posted in a second, as far as they are answered: at most {@link postingMax} are under way. */
const messagesPerSecond = Number(process.env.GATEWAY_KILL_MESSAGES ?? 50);
const postingMax = 50;
/** From one kill to the next, if the gateway is back by then. */
const killEveryMs = 1_000;

/** A member who stays connected, and what came on all connections. */
function stayConnected(baseUrl: string, { accessToken, refreshToken }: UserClient) {
  const gateway = createParleyClient({ baseUrl, tokens: { accessToken, refreshToken } }).gateway({
    backoff: { baseMs: 200, maxMs: 200 },
  });
  const contents: string[] = [];
  const counts = { ready: 0, resumed: 0, absences: 0 };
  gateway.on("READY", () => (counts.ready += 1));
  gateway.on("RESUMED", () => (counts.resumed += 1));
  gateway.on("MESSAGE_CREATE", ({ content }) => contents.push(content));
  gateway.on("PRESENCE_UPDATE", ({ status }) => (counts.absences += status === "online" ? 0 : 1));
  return { connected: gateway.connect(), contents, counts, close: () => gateway.close() };
}

/** Posts at a constant rate until it is told to stop; resolves with the contents in the order of history. */
function startPosting({ owner, channel }: ServerFixture) {
  const posted: { id: string; content: string }[] = [];
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const startedAt = performance.now();
  let begun = 0;
  const post = async () => {
    const { id, content } = await postMessage(owner, channel.id, `message ${begun++}`);
    posted.push({ id, content });
  };
  const postDue = () => {
    const due = ((performance.now() - startedAt) / 1_000) * messagesPerSecond;
    while (begun < due && underWay.size < postingMax) {
      const posting: Promise<void> = post()
        .catch((error) => failures.push(error))
        .then(() => void underWay.delete(posting));
      underWay.add(posting);
    }
  };
  const timer = setInterval(postDue, 5);
  return {
    count: () => posted.length,
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
      expect(failures).toEqual([]);
      // Identifiers of version 7 ascend in the order of history.
      return posted.sort((one, other) => (one.id < other.id ? -1 : 1)).map(({ content }) => content);
    },
  };
}

/** Kills one gateway after the other, each when the one before it is back; returns how often. */
async function killGateways(gateways: Awaited<ReturnType<typeof startStack>>["gateways"], posted: () => number) {
  const startedAt = performance.now();
  let kills = 0;
  while (performance.now() < startedAt + seconds * 1_000) {
    const gateway = gateways[kills % gateways.length];
    const [before, killedAt] = [posted(), performance.now()];
    await gateway?.kill();
    kills += 1;
    await waitUntil(() => posted() > before + 5, { what: "messages while a gateway is away" });
    await gateway?.restart();
    await waitUntil(() => performance.now() >= killedAt + killEveryMs, { what: "the next kill" });
  }
  return kills;
}

test(
  "gateways are killed one after the other under load: numbered clients lose nothing, get nothing twice, and are not seen to leave",
  async () => {
    const stack = await startStack({ apis: 1, gateways: 2 });
    try {
      const fixture = await createServerWithMembers(createClient(stack.edgeUrl), clientCount);
      const clients = fixture.members.map((member) => stayConnected(stack.edgeUrl, member));
      await Promise.all(clients.map(({ connected }) => connected));
      const posting = startPosting(fixture);
      const kills = await killGateways(stack.gateways, posting.count);
      const posted = await posting.stop();
      const received = clients.map(({ contents }) => contents);
      await waitUntil(() => received.every((contents) => contents.length >= posted.length), {
        timeoutMs: 60_000,
        what: "the last message at all clients",
      });
      for (const client of clients) client.close();
      const total = (count: (client: (typeof clients)[number]) => number) =>
        clients.reduce((sum, client) => sum + count(client), 0);
      const lost = total(({ contents }) => posted.length - new Set(contents).size);
      const repeated = total(({ contents }) => contents.length - new Set(contents).size);
      const placeOf = new Map(posted.map((content, place) => [content, place]));
      const isEarlier = (content: string, next: string | undefined) =>
        (placeOf.get(content) ?? 0) > (placeOf.get(next ?? content) ?? 0);
      const outOfOrder = total(
        ({ contents }) => contents.filter((content, at) => isEarlier(content, contents[at + 1])).length,
      );
      const resumed = total(({ counts }) => counts.resumed);
      const absences = total(({ counts }) => counts.absences);
      process.stdout.write(
        `gateway kills: ${kills} kills in ${seconds} s, ${posted.length} messages to ${clients.length} clients, ` +
          `${resumed} continued, ${lost} lost, ${repeated} repeated, ${outOfOrder} out of order, ${absences} absences seen\n`,
      );
      expect(clients.map(({ counts }) => counts.ready)).toEqual(clients.map(() => 1));
      for (const contents of received) expect(contents).toEqual(posted);
      expect([lost, repeated, outOfOrder, absences]).toEqual([0, 0, 0, 0]);
      expect(resumed).toBeGreaterThanOrEqual(kills);
    } finally {
      await stack.stop();
    }
  },
  180_000 + 3_000 * seconds,
);
