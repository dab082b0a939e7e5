import { setTimeout as pause } from "node:timers/promises";
import { Clients } from "../clients/clients.js";
import { median, report } from "../measure.js";
import { type ProcessMemory, residentBytes } from "../processes.js";
import type { BenchStack } from "../stack.js";
import { createWaitingUsers } from "../world.js";
import { type ContestantName, contestantNames, startContestant } from "./contestants.js";
import type { GatewaySizes } from "./sizes.js";

/** Of the connections, after which memory is looked at for the first time: what the process needs anyway is there then. */
const firstShare = 0.2;

export interface IdleRun {
  name: ContestantName;
  connections: number;
  /** Resident memory without connections, with the first share of them, and with all. */
  rssBytes: { empty: number; first: number; all: number };
  memory: { empty: ProcessMemory; all: ProcessMemory };
}

/** What connections cost that only wait, each of them a user's own. */
export async function measureIdle(stack: BenchStack, { idle, rounds }: GatewaySizes): Promise<IdleRun[]> {
  const userIds = await createWaitingUsers(stack.pool, idle);
  const runs: IdleRun[] = [];
  for (let round = 0; round < rounds; round += 1) runs.push(...(await runAll(stack, userIds, idle)));
  return runs;
}

/** All contestants side by side: who waits does not disturb, so they settle at the same time. */
async function runAll(stack: BenchStack, userIds: string[], idle: GatewaySizes["idle"]): Promise<IdleRun[]> {
  const { sockets, settleMs } = idle;
  const started = await Promise.all(
    contestantNames.map(async (name) => {
      const contestant = await startContestant(stack, name, { serverId: "", channelId: "", userIds });
      const empty = { rss: await residentBytes(contestant.pid), memory: await contestant.memory() };
      return { name, contestant, clients: new Clients(2), empty };
    }),
  );
  const rssOfAll = async (from: number, to: number) => {
    for (const { contestant, clients } of started) await clients.connect(contestant, contestant.paths(to - from, from));
    await pause(settleMs);
    return Promise.all(started.map(({ contestant }) => residentBytes(contestant.pid)));
  };
  try {
    const first = await rssOfAll(0, sockets * firstShare);
    const all = await rssOfAll(sockets * firstShare, sockets);
    return await Promise.all(
      started.map(async ({ name, contestant, empty }, index) => ({
        name,
        connections: sockets,
        rssBytes: { empty: empty.rss, first: first[index] ?? Number.NaN, all: all[index] ?? Number.NaN },
        memory: { empty: empty.memory, all: await contestant.memory() },
      })),
    );
  } finally {
    await Promise.all(started.flatMap(({ contestant, clients }) => [clients.stop(), contestant.stop()]));
  }
}

export function reportIdle(runs: readonly IdleRun[], { idle, rounds }: GatewaySizes): void {
  report(`idle: ${idle.sockets} connections, each of another user, in ${idle.servers} servers`);
  for (const name of contestantNames) {
    const own = runs.filter((each) => each.name === name);
    const value = (read: (each: IdleRun) => number) => median(own.map((each) => read(each) / 1_024)).toFixed(1);
    const total = value(({ rssBytes, connections }) => (rssBytes.all - rssBytes.empty) / connections);
    const later = value(
      ({ rssBytes, connections }) => (rssBytes.all - rssBytes.first) / (connections * (1 - firstShare)),
    );
    const of = (key: keyof ProcessMemory) =>
      value(({ memory, connections }) => (memory.all[key] - memory.empty[key]) / connections);
    report(
      `  ${name.padEnd(10)} ${total} KB of RSS each${name === "gateway" ? " (goal: 12)" : ""}, ${later} KB each after the first ${firstShare * 100}%; of it heap ${of("heapUsed")} KB (with garbage), external ${of("external")} KB  (median of ${rounds})`,
    );
  }
}
