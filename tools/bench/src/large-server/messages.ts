import { setTimeout as pause } from "node:timers/promises";
import { clockMs } from "../clock.js";
import { connectMember, postMessage } from "./neighbour.js";
import type { LargeServer, LargeServerWorld } from "./world.js";

/** Messages are alike in length, so that their frames can be told from those of presence. */
const contentOf = (n: number) => `message ${String(n).padStart(6, "0")}`;

/**
 * Sends messages to everybody in the server.
 *
 * @returns when each was sent, by the machine's monotonic clock
 */
export async function sendMessages(
  { call }: LargeServerWorld,
  { channelId, userIds }: LargeServer,
  { messages, perSecond }: { messages: number; perSecond: number },
): Promise<number[]> {
  const sentAt: number[] = [];
  const startedAt = clockMs();
  const answers: Promise<unknown>[] = [];
  for (let n = 0; n < messages; n += 1) {
    await pause(Math.max(0, startedAt + (n * 1_000) / perSecond - clockMs()));
    sentAt.push(clockMs());
    answers.push(call(userIds[1] ?? "", "POST", `/channels/${channelId}/messages`, { content: contentOf(n) }));
  }
  await Promise.all(answers);
  return sentAt;
}

/** The bytes of the event of such a message, which nobody else may be connected to receive. */
export async function messageBytes(world: LargeServerWorld, { channelId, userIds }: LargeServer): Promise<number> {
  const author = userIds[1] ?? "";
  const samples = [0, 1].map((gateway) => connectMember(world, author, gateway));
  await Promise.all(samples.map(({ ready }) => ready));
  const { id } = await postMessage(world, author, channelId, contentOf(0));
  // On both gateways, so that it has passed when the counting begins.
  await Promise.all(
    samples.map((client) => client.waitFor("MESSAGE_CREATE", (message) => message.id === id, { timeoutMs: 20_000 })),
  );
  for (const client of samples) client.terminate();
  return Buffer.byteLength(samples[0]?.frames.find((frame) => frame.includes(`"id":"${id}"`)) ?? "");
}
