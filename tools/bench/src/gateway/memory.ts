import { setTimeout as pause } from "node:timers/promises";
import { Clients } from "../clients/clients.js";
import { report } from "../measure.js";
import { collectGarbage, residentBytes, serviceMemory } from "../processes.js";
import type { BenchStack } from "../stack.js";
import { createWaitingUsers } from "../world.js";
import { gatewayDialect } from "./contestants.js";
import type { GatewaySizes } from "./sizes.js";

/** Bytes per connection after a collection of garbage: V8's heap and what is outside of it, and resident memory. */
type ConnectionMemory = Record<"used" | "resident", number>;
type Memory = Record<"unnumbered" | "numbered", ConnectionMemory>;

/** What a connection costs that only waits: without `s`, and with it, each on a fresh gateway and with the same users. */
export async function measureMemory(
  stack: BenchStack,
  { settleMs, ...size }: GatewaySizes["continue"]["memory"],
): Promise<Memory> {
  const userIds = await createWaitingUsers(stack.pool, size);
  const measure = async (query: string): Promise<ConnectionMemory> => {
    const gateway = await stack.start("gateway");
    const clients = new Clients(1);
    const weigh = async () => {
      await collectGarbage(gateway);
      const { heapUsed, external } = await serviceMemory(gateway);
      return { used: heapUsed + external, resident: await residentBytes(gateway.pid()) };
    };
    try {
      const empty = await weigh();
      const paths = userIds.map((userId) => stack.socketPath(userId, query));
      await clients.connect({ port: gateway.port, dialect: gatewayDialect }, paths);
      await pause(settleMs);
      const all = await weigh();
      const each = (key: keyof ConnectionMemory) => (all[key] - empty[key]) / size.sockets;
      return { used: each("used"), resident: each("resident") };
    } finally {
      await clients.stop();
      await gateway.stop();
    }
  };
  return { unnumbered: await measure(""), numbered: await measure("&s=") };
}

export function reportMemory({ unnumbered, numbered }: Memory, sockets: number): void {
  const inKilobytes = (bytes: number) => (bytes / 1_024).toFixed(2);
  const compared = (key: keyof ConnectionMemory) =>
    `${inKilobytes(numbered[key])} KB numbered, ${inKilobytes(unnumbered[key])} KB without, ${inKilobytes(numbered[key] - unnumbered[key])} KB more`;
  report(
    `  memory     each of ${sockets} that wait, garbage collected: in use ${compared("used")}  (goal: 1); RSS ${compared("resident")}`,
  );
}
