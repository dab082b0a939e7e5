import { setTimeout as pause } from "node:timers/promises";
import { createClient as createParleyClient } from "@parley/client";
import type { InteractionState, NewInteraction } from "@parley/contracts";
import { startStack, type TestStack, waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { type AppStage, Begun, createAppStage, use } from "../stages/app-stage.js";
import { endsOf, killInTurn, startSteadily } from "../stages/kills.js";

/** Longer and faster by the environment, such as `INTERACTION_KILL_SECONDS=60 INTERACTION_KILL_RATE=100`. */
const seconds = Number(process.env.INTERACTION_KILL_SECONDS ?? 10);
/** Interactions begun in a second, as far as they are answered: at most {@link askingMax} are under way. */
const perSecond = Number(process.env.INTERACTION_KILL_RATE ?? 20);
const askingMax = 50;

/** The results of the interactions, as clients and the bot saw them. */
interface Counts {
  /** How often each state was announced for each interaction. */
  notified: Map<string, Set<InteractionState["state"]>>;
  /** Answers with 200, by interaction. */
  answered: Map<string, number>;
  /** How often each interaction reached the bot. */
  delivered: Map<string, number>;
}

const addTo = (counts: Map<string, number>, id: string) => counts.set(id, (counts.get(id) ?? 0) + 1);
const connectClient = (baseUrl: string, credential: object) =>
  createParleyClient({ baseUrl, ...credential }).gateway({ v: 2, backoff: { baseMs: 100, maxMs: 200 } });

/** How long the bot thinks: some interactions are with it whenever something dies. */
const thinkingMaxMs = 400;

/**
 * A bot of two processes. A living one answers every interaction that it got, by another attempt when an api died
 * meanwhile; the interactions of a killed one are for the other.
 */
function startBot(stack: TestStack, { bot }: AppStage, { answered, delivered }: Counts) {
  const answer = async ({ id, token }: NewInteraction, process: { isKilled: boolean }) => {
    const before = delivered.get(id) ?? 0;
    addTo(delivered, id);
    await pause(((before + delivered.size) * 37) % thinkingMaxMs);
    const body = JSON.stringify({ type: "message", data: { content: `answer ${id}` } });
    const headers = { "content-type": "application/json" };
    while (!process.isKilled) {
      const url = `${stack.edgeUrl}/interactions/${id}/${token}/answer`;
      const response = await fetch(url, { method: "POST", headers, body }).catch(() => null);
      if (response?.ok) addTo(answered, id);
      // A refused answer stands: another one was the first, or the interaction has expired.
      if (response !== null && response.status < 500) return;
    }
  };
  const start = () => {
    const process = { isKilled: false };
    const gateway = connectClient(stack.edgeUrl, { botToken: bot.token });
    gateway.on("INTERACTION_CREATE", (interaction) => void answer(interaction, process));
    const connected = gateway.connect();
    const kill = () => {
      process.isKilled = true;
      gateway.close();
    };
    return { connected, kill };
  };
  const processes = [start(), start()];
  return {
    connected: Promise.all(processes.map(({ connected }) => connected)),
    async kill() {
      processes.shift()?.kill();
    },
    async restart() {
      processes.push(start());
    },
    close() {
      for (const { kill } of processes) kill();
    },
  };
}

test("gateways, apis and processes of the bot are killed under load: every interaction ends in exactly one of answered and failed, and answered ones have one message", async () => {
  // Its own: its processes are killed.
  const stack = await startStack({ apis: 2, gateways: 2 });
  try {
    const stage = await createAppStage(stack.edgeUrl, [{ name: "play", description: "Begins" }]);
    const counts: Counts = { notified: new Map(), answered: new Map(), delivered: new Map() };
    const bot = startBot(stack, stage, counts);
    const { accessToken, refreshToken } = stage.member;
    const invoker = connectClient(stack.edgeUrl, { tokens: { accessToken, refreshToken } });
    const messages = new Map<string, number>();
    invoker.on("INTERACTION_UPDATE", ({ id, state }) =>
      counts.notified.set(id, (counts.notified.get(id) ?? new Set()).add(state)),
    );
    invoker.on("MESSAGE_CREATE", ({ interaction }) => interaction && addTo(messages, interaction.id));
    await Promise.all([bot.connected, invoker.connect()]);
    const accepted: string[] = [];
    const stopAsking = startSteadily({ perSecond, underWayMax: askingMax }, async () => {
      const answer = await stage.member.post(`/channels/${stage.channelId}/interactions`, use(stage, "play"));
      if (answer.status === 202) accepted.push(answer.expect(202, Begun).id);
    });
    const { gateways, apis } = stack;
    const kills = await killInTurn([gateways[0], bot, apis[0], gateways[1], bot, apis[1]], seconds);
    await stopAsking();
    const ended = await endsOf(stage.member, accepted);
    await waitUntil(() => [...ended].every(([id, state]) => state === "failed" || messages.has(id)), {
      timeoutMs: 20_000,
      what: "the messages of all answers",
    });
    bot.close();
    invoker.close();

    const states = [...ended.values()];
    const isFinal = (state: string) => state === "answered" || state === "failed";
    const contradictions = accepted.filter((id) => {
      const states = [...(counts.notified.get(id) ?? [])].filter(isFinal);
      return states.some((state) => state !== ended.get(id));
    });
    const miscounted = accepted.filter((id) => (messages.get(id) ?? 0) !== (ended.get(id) === "answered" ? 1 : 0));
    const redelivered = [...counts.delivered.values()].filter((times) => times > 1).length;
    process.stdout.write(
      `interaction kills: ${kills} kills in ${seconds} s, ${accepted.length} interactions, ` +
        `${states.filter((state) => state === "answered").length} answered, ` +
        `${states.filter((state) => state === "failed").length} failed, ${redelivered} handed over\n`,
    );
    expect({ contradictions, miscounted }).toEqual({ contradictions: [], miscounted: [] });
    expect([...counts.answered.values()].filter((times) => times > 1)).toEqual([]);
    // How many depends on the machine: an answer of a slow one may come too late.
    expect(states).toContain("answered");
  } finally {
    await stack.stop();
  }
});
