import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { startReaders } from "../clients/readers.js";
import { collectGarbage } from "../garbage.js";
import { residentBytes } from "../processes.js";
import type { BenchStack } from "../stack.js";
import { createRoom, gatewayPathsOf } from "../world.js";
import { gatewayDialect, serviceMemory } from "./contestants.js";
import type { GatewaySizes } from "./sizes.js";

const inFlightMax = 64;

/** Bytes per connection, after a collection of garbage. */
export interface ConnectionMemory {
  /** V8's heap and what is outside of it. */
  used: number;
  resident: number;
}

/** What a connection costs that only waits: without `s`, and with it, each on a fresh gateway and with the same users. */
export async function measureNumberedMemory(
  stack: BenchStack,
  pool: pg.Pool,
  { sockets, servers, settleMs }: GatewaySizes["continue"]["memory"],
): Promise<{ unnumbered: ConnectionMemory; numbered: ConnectionMemory }> {
  const userIds: string[] = [];
  for (let server = 0; server < servers; server += 1) {
    userIds.push(...(await createRoom(pool, sockets / servers)).userIds);
  }
  const paths = gatewayPathsOf(stack.jwtSecret, userIds);
  const measure = async (suffix: string): Promise<ConnectionMemory> => {
    const gateway = await stack.start("gateway");
    const readers = startReaders(1);
    const weigh = async () => {
      await collectGarbage(gateway);
      const { heapUsed, external } = await serviceMemory(gateway);
      return { used: heapUsed + external, resident: await residentBytes(gateway.pid()) };
    };
    try {
      const empty = await weigh();
      const target = { port: gateway.port, dialect: gatewayDialect };
      const { failed } = await readers.connectPaths(
        target,
        paths.map((path) => path + suffix),
        inFlightMax,
      );
      if (failed > 0) throw new Error(`${failed} of ${sockets} connections failed`);
      await pause(settleMs);
      const all = await weigh();
      const each = (key: keyof ConnectionMemory) => (all[key] - empty[key]) / sockets;
      return { used: each("used"), resident: each("resident") };
    } finally {
      await readers.stop();
      await gateway.stop();
    }
  };
  return { unnumbered: await measure(""), numbered: await measure("&s=") };
}
