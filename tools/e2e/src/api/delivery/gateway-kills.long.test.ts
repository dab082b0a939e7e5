import { createClient, createServerWithMembers, type ServerFixture, startStack, waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { startPosting, stayConnected } from "./kill-load.js";

/**
 * Longer and larger by the environment; a minute with 200 clients in 10 servers under 200 messages a second:
 * `GATEWAY_KILL_SECONDS=60 GATEWAY_KILL_SERVERS=10 GATEWAY_KILL_CLIENTS=20 GATEWAY_KILL_MESSAGES=20`.
 */
const seconds = Number(process.env.GATEWAY_KILL_SECONDS ?? 15);
const serverCount = Number(process.env.GATEWAY_KILL_SERVERS ?? 1);
/** Clients in each server. */
const clientCount = Number(process.env.GATEWAY_KILL_CLIENTS ?? 20);
/** Posted in a second in each server, as far as they are answered: at most {@link postingMax} are under way. */
const messagesPerSecond = Number(process.env.GATEWAY_KILL_MESSAGES ?? 50);
const postingMax = 50;
/** From one kill to the next, if the gateway is back by then. */
const killEveryMs = 1_000;

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

/** The messages that the clients of one server got, against the posted ones. */
function compare(posted: readonly string[], clients: readonly ReturnType<typeof stayConnected>[]) {
  const total = (count: (client: (typeof clients)[number]) => number) =>
    clients.reduce((sum, client) => sum + count(client), 0);
  const placeOf = new Map(posted.map((content, place) => [content, place]));
  const isEarlier = (content: string, next: string | undefined) =>
    (placeOf.get(content) ?? 0) > (placeOf.get(next ?? content) ?? 0);
  return {
    posted: posted.length,
    lost: total(({ contents }) => posted.length - new Set(contents).size),
    repeated: total(({ contents }) => contents.length - new Set(contents).size),
    outOfOrder: total(({ contents }) => contents.filter((content, at) => isEarlier(content, contents[at + 1])).length),
    resumed: total(({ counts }) => counts.resumed),
    readAnew: total(({ counts }) => counts.ready - 1),
    absences: total(({ counts }) => counts.absences),
  };
}

test(
  "gateways are killed one after the other under load: numbered clients lose nothing, get nothing twice, and are not seen to leave",
  async () => {
    // Its own: its gateways are killed.
    const stack = await startStack({ apis: 1, gateways: 2 });
    try {
      const newServer = () => createServerWithMembers(createClient(stack.edgeUrl), clientCount);
      const fixtures: ServerFixture[] = [];
      while (fixtures.length < serverCount) fixtures.push(await newServer());
      const servers = fixtures.map((fixture) => ({
        fixture,
        clients: fixture.members.map((member) => stayConnected(stack.edgeUrl, member)),
      }));
      const all = servers.flatMap(({ clients }) => clients);
      await Promise.all(all.map(({ connected }) => connected));
      const postings = servers.map(({ fixture }) => startPosting(fixture, { messagesPerSecond, postingMax }));
      const kills = await killGateways(stack.gateways, () =>
        postings.reduce((sum, { posted }) => sum + posted.length, 0),
      );
      const posted = await Promise.all(
        postings.map(async (posting) => (await posting.stop()).map(({ content }) => content)),
      );
      expect(postings.flatMap(({ failures }) => failures)).toEqual([]);
      const isComplete = () =>
        servers.every(({ clients }, at) =>
          clients.every(({ contents }) => contents.length >= (posted[at]?.length ?? 0)),
        );
      const waited = await waitUntil(isComplete, { timeoutMs: 60_000, what: "the last message at all clients" }).then(
        () => null,
        (error: unknown) => error,
      );
      for (const client of all) client.close();
      const compared = servers.map(({ clients }, at) => compare(posted[at] ?? [], clients));
      const sum = (key: keyof ReturnType<typeof compare>) => compared.reduce((total, counts) => total + counts[key], 0);
      process.stdout.write(
        `gateway kills: ${kills} kills in ${seconds} s, ${sum("posted")} messages to ${all.length} clients in ` +
          `${serverCount} servers, ${sum("resumed")} continued, ${sum("lost")} lost, ${sum("repeated")} repeated, ` +
          `${sum("outOfOrder")} out of order, ${sum("absences")} absences seen\n`,
      );
      expect(waited).toBeNull();
      for (const [at, { clients }] of servers.entries()) {
        for (const { contents } of clients) expect(contents).toEqual(posted[at]);
      }
      const none = { lost: 0, repeated: 0, outOfOrder: 0, readAnew: 0, absences: 0 };
      expect(compared).toMatchObject(compared.map(() => none));
      expect(sum("resumed")).toBeGreaterThanOrEqual(kills);
    } finally {
      await stack.stop();
    }
  },
  180_000 + 3_000 * seconds,
);
