import { setTimeout as pause } from "node:timers/promises";
import { Message } from "@parley/contracts";
import { ascending, clockMs } from "./measure.js";
import { createPoster } from "./poster.js";
import type { BenchStack } from "./stack.js";
import { createRoom } from "./world.js";

const intervalMs = 100;
/** As long as a busy machine may take. */
const timeoutMs = 60_000;

/** Ascending milliseconds until a message was answered, and until another member had it as well. */
export type QuietTimes = Record<"postMs" | "deliveredMs", Float64Array>;
export type QuietServer = Awaited<ReturnType<typeof connectQuietServer>>;

/** A small server on the same processes as a busy one: five members on its gateways; one sends and one reads. */
export async function connectQuietServer(
  stack: BenchStack,
  api: { url: string },
  gateways: readonly [{ url: string }, ...{ url: string }[]],
) {
  const { channelId, userIds } = await createRoom(stack.pool, 5);
  const clients = userIds.map((userId, n) => stack.connect(userId, gateways[n % gateways.length] ?? gateways[0]));
  await Promise.all(clients.map(({ ready }) => ready));
  const [post, reader, writer] = [createPoster(api.url), clients[1], stack.headers(userIds[0] ?? "")];

  /** Sends messages, one after another, ten a second at most, until the measurement ends. */
  async function measure(isOver: () => boolean): Promise<QuietTimes> {
    const postMs: number[] = [];
    const deliveredMs: number[] = [];
    while (!isOver()) {
      const since = reader?.mark() ?? 0;
      const from = clockMs();
      const { id } = Message.parse(await post(`/channels/${channelId}/messages`, { content: "quiet" }, writer));
      postMs.push(clockMs() - from);
      await reader?.waitFor("MESSAGE_CREATE", (message) => message.id === id, { since, timeoutMs });
      deliveredMs.push(clockMs() - from);
      await pause(Math.max(0, from + intervalMs - clockMs()));
    }
    return { postMs: ascending(postMs), deliveredMs: ascending(deliveredMs) };
  }

  return {
    measure,
    /** The same for as long as something else goes on. */
    async beside<Result>(work: () => Promise<Result>): Promise<{ result: Result; quiet: QuietTimes }> {
      let isOver = false;
      const measuring = measure(() => isOver);
      const result = await work().finally(() => {
        isOver = true;
      });
      return { result, quiet: await measuring };
    },
    close() {
      for (const client of clients) client.terminate();
    },
  };
}
