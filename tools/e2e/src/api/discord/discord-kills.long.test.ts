import { startStack, type TestStack, waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { type AppStage, Begun, createAppStage, use } from "../stages/app-stage.js";
import { endsOf, killInTurn, startSteadily } from "../stages/kills.js";
import { allIntents, ops, type Payload, snowflake } from "./discord-socket.js";

/** Longer by the environment: `DISCORD_KILL_SECONDS=60`. */
const seconds = Number(process.env.DISCORD_KILL_SECONDS ?? 15);
/** Messages, and interactions, begun in a second, as far as they are answered. */
const rate = { perSecond: 10, underWayMax: 30 };

/** A bot as libraries connect: it resumes whenever its connection ends, and identifies itself only when it has to. */
function startBot({ edgeUrl }: TestStack, { bot }: AppStage, onDispatch: (t: string, d: { id: string }) => void) {
  const counts = { resumed: 0, invalid: 0 };
  let session: string | null = null;
  let seq = 0;
  let isEnded = false;
  let socket: WebSocket | undefined;
  const read = (ws: WebSocket, { op, d, s, t }: Payload) => {
    const send = (sent: number, data: unknown) => ws.send(JSON.stringify({ op: sent, d: data }));
    if (op === ops.reconnect) ws.close(4000);
    if (op === ops.invalid) {
      counts.invalid += 1;
      session = null;
    }
    if (op === ops.hello || op === ops.invalid) {
      if (session === null) send(ops.identify, { token: bot.token, intents: allIntents, properties: {} });
      else send(ops.resume, { token: bot.token, session_id: session, seq });
    }
    if (op !== ops.dispatch || t === null) return;
    seq = s ?? seq;
    if (t === "READY") session = (d as { session_id: string }).session_id;
    if (t === "RESUMED") counts.resumed += 1;
    send(ops.heartbeat, seq);
    onDispatch(t, d as { id: string });
  };
  const connect = () =>
    new Promise<void>((resolve) => {
      const ws = new WebSocket(`${edgeUrl.replace(/^http/, "ws")}/discord/gateway/?v=10&encoding=json`);
      socket = ws;
      ws.on("message", (data) => read(ws, JSON.parse(String(data)) as Payload));
      ws.on("error", () => undefined);
      ws.on("close", () => resolve());
    });
  const run = async () => {
    while (!isEnded) await connect();
  };
  const ran = run();
  return {
    counts,
    isReady: () => session !== null,
    async close() {
      isEnded = true;
      socket?.terminate();
      await ran;
    },
  };
}

const addTo = (counts: Map<string, number>, id: string) => counts.set(id, (counts.get(id) ?? 0) + 1);

test("processes for Discord's bots, gateways and apis are killed under load: a bot that resumes misses no message and gets none twice, and no interaction ends in silence", async () => {
  // Its own: its processes are killed.
  const stack = await startStack({ apis: 2, gateways: 2, discords: 2 });
  try {
    const stage = await createAppStage(stack.edgeUrl, [{ name: "play", description: "Begins" }]);
    const { channelId, member, owner } = stage;
    const [heard, delivered] = [new Map<string, number>(), new Map<string, number>()];
    const answer = async ({ id, token }: { id: string; token: string }) => {
      const url = `${stack.edgeUrl}/discord/api/v10/interactions/${id}/${token}/callback`;
      const body = JSON.stringify({ type: 4, data: { content: `answer ${id}` } });
      const headers = { "content-type": "application/json" };
      while (true) {
        const response = await fetch(url, { method: "POST", headers, body }).catch(() => null);
        // A refused answer stands: another one was the first, or the interaction has expired.
        if (response !== null && response.status < 500) return;
      }
    };
    const bot = startBot(stack, stage, (t, d) => {
      if (t === "MESSAGE_CREATE") addTo(heard, d.id);
      if (t !== "INTERACTION_CREATE") return;
      addTo(delivered, d.id);
      void answer(d as { id: string; token: string });
    });
    await waitUntil(bot.isReady, { what: "READY" });

    const [posted, begun] = [new Set<string>(), new Set<string>()];
    const stopPosting = startSteadily(rate, async (n) => {
      while (true) {
        const body = { content: `message ${n}`, nonce: `message ${n}` };
        const sent = await owner.post(`/channels/${channelId}/messages`, body).catch(() => null);
        if (sent === null || sent.status >= 500) continue;
        posted.add(snowflake((sent.body as { id: string }).id));
        return;
      }
    });
    const stopAsking = startSteadily(rate, async () => {
      const asked = await member.post(`/channels/${channelId}/interactions`, use(stage, "play"));
      if (asked.status === 202) begun.add(asked.expect(202, Begun).id);
    });
    const { discords, gateways, apis } = stack;
    const [first, second] = discords;
    const victims = [first, gateways[0], second, apis[0], first, gateways[1], second, apis[1]];
    const kills = await killInTurn(victims, seconds);
    await Promise.all([stopPosting(), stopAsking()]);
    await waitUntil(() => [...posted].every((id) => heard.has(id)), { timeoutMs: 30_000, what: "every message" });

    const ended = await endsOf(member, [...begun]);
    await bot.close();
    const doubled = [...heard].filter(([, times]) => times > 1);
    const twice = [...delivered].filter(([, times]) => times > 1);
    const answered = [...ended.values()].filter((state) => state === "answered").length;
    process.stdout.write(
      `discord kills: ${kills} kills in ${seconds} s, ${bot.counts.resumed} resumed, ${posted.size} messages, ${begun.size} interactions, ` +
        `${answered} answered, ${ended.size - answered} failed, ${begun.size - ended.size} silent\n`,
    );
    expect({ doubled, twice, invalid: bot.counts.invalid }).toEqual({ doubled: [], twice: [], invalid: 0 });
    expect(bot.counts.resumed).toBeGreaterThan(0);
    expect(answered).toBeGreaterThan(0);
  } finally {
    await stack.stop();
  }
});
