import { closeCodes } from "@parley/contracts";
import {
  createClient,
  createServerWithMembers,
  startStack,
  type TestStack,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { describe, expect, test } from "vitest";
import { nginxProgram, provideProgram } from "../../deploy/debian-program.js";
import { startNginx } from "../../deploy/nginx-edge.js";
import { readHistory, startWriters, stayConnected } from "../../deploy/rolling-traffic.js";

const nginx = await provideProgram(nginxProgram);

/** An event that was answered this long before a connection ended has arrived on it. */
const settledMs = 1_000;

type Edge = { url: string; stop: () => Promise<void> };

describe.each(nginx === null ? ["the local edge"] : ["the local edge", "nginx"])("behind %s", (kind) => {
  test("every process restarts under traffic: no request fails, everybody is back on another node, nothing is lost, and nobody sees numbered clients come and go", async () => {
    // Its own: every process is restarted.
    const stack = await startStack({ apis: 2, gateways: 2, env: { DRAIN_SECONDS: "1" } });
    const edge = await openEdge(kind, stack);
    try {
      const fixture = await createServerWithMembers(createClient(edge.url), 6);
      const numbered = fixture.members.slice(0, 3);
      const clients = fixture.members.map((member) =>
        stayConnected(edge.url, member, { isNumbered: numbered.includes(member) }),
      );
      const everybodyIsConnected = () => clients.every((client) => client.connected());
      await waitUntil(everybodyIsConnected, { what: "all clients to connect" });
      const writers = startWriters([fixture.owner, ...fixture.members], fixture.channel.id);
      const traffic = async (count: number) => {
        const until = writers.sent.length + count;
        await waitUntil(() => writers.sent.length >= until || writers.failures.length > 0, { timeoutMs: 20_000 });
      };

      await traffic(30);
      const presencesOf = (users: readonly UserClient[]) => {
        const ids = users.map(({ user }) => user.id);
        return clients.flatMap((client) => client.presences()).filter((id) => ids.includes(id)).length;
      };
      const before = { numbered: presencesOf(numbered), others: presencesOf(fixture.members.slice(3)) };
      for (const [at, service] of [...stack.apis, ...stack.gateways].entries()) {
        await service.stop();
        expect(await service.exited(), service.lastLines().join("\n")).toEqual({ code: 0, signal: null });
        await traffic(30);
        // With one of two gateways away, to be connected is to be on the other one.
        await waitUntil(everybodyIsConnected, {
          what: `all clients to be back without process ${at}`,
        });
        await service.restart();
        await traffic(30);
      }
      await writers.stop();
      await waitUntil(everybodyIsConnected);
      expect(presencesOf(numbered)).toBe(before.numbered);
      expect(presencesOf(fixture.members.slice(3))).toBeGreaterThan(before.others);
      await Promise.all(clients.map((client) => client.stop()));

      expect(writers.failures).toEqual([]);
      expect((await readHistory(fixture)).toSorted()).toEqual(writers.sent.map(({ id }) => id).toSorted());
      for (const { visits } of clients) {
        expect(visits.slice(0, -1).map(({ closeCode }) => closeCode)).toEqual(
          visits.slice(0, -1).map(() => closeCodes.goingAway),
        );
        for (const visit of visits) {
          const due = writers.sent.filter(
            ({ sentAtMs, answeredAtMs }) => sentAtMs > visit.readyAtMs && answeredAtMs < visit.closedAtMs - settledMs,
          );
          expect(due.filter(({ id }) => !visit.received.has(id))).toEqual([]);
        }
      }
      const moves = clients.reduce((sum, { visits }) => sum + visits.length - 1, 0);
      expect(moves).toBeGreaterThanOrEqual(clients.length);
      process.stdout.write(`rolling restart behind ${kind}: ${writers.requests()} requests, ${moves} reconnections\n`);
    } finally {
      await edge.stop();
      await stack.stop();
    }
  });
});

async function openEdge(kind: string, stack: TestStack): Promise<Edge> {
  if (kind !== "nginx" || nginx === null) return { url: stack.edgeUrl, stop: async () => undefined };
  const urls = (services: TestStack["apis"]) => services.map(({ url }) => url);
  return startNginx({ program: nginx, apis: urls(stack.apis), gateways: urls(stack.gateways) });
}
