import { check } from "../measure.js";
import { cpuSecondsOf } from "../processes.js";
import type { Clients, Delivery } from "./clients.js";

/** The arrivals of some events. */
export interface Delivered extends Delivery {
  /** From the first sending to the last arrival. */
  seconds: number;
  /** Microseconds of the servers' processors a frame. */
  frameMicros: number;
}

/** Delivers the frames of `send` to every client; `send` returns the time of each. Every frame has to arrive. */
export async function deliver(
  clients: Clients,
  servers: readonly { pid: () => number }[],
  send: () => Promise<readonly number[]>,
  { payloadBytes = "all", timed = true }: { payloadBytes?: number | "all"; timed?: boolean } = {},
): Promise<Delivered> {
  await clients.begin({ payloadBytes, timed });
  const before = await cpuSecondsOf(servers);
  const sentAt = await send();
  const delivery = await clients.finish(sentAt);
  const cpu = (await cpuSecondsOf(servers)) - before;
  const { counted, expected, complete, sockets, lastAt } = delivery;
  check("frames, and sockets that got all", [counted, complete], [expected, sockets]);
  return { ...delivery, seconds: (lastAt - (sentAt[0] ?? lastAt)) / 1_000, frameMicros: (cpu / counted) * 1e6 };
}
