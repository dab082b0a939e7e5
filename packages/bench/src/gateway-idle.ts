import { setTimeout as pause } from "node:timers/promises";
import { type ContestantName, contestantNames, type MemoryHint, startContestant } from "./gateway-contestants.js";
import { residentBytes } from "./gateway-process.js";
import { startReaders } from "./gateway-readers.js";
import type { GatewaySizes } from "./gateway-sizes.js";
import { createRoom, type Room } from "./gateway-world.js";
import { median, report } from "./measure.js";
import { type BenchStack, withPool } from "./stack.js";

const readerProcesses = 2;
/** Of the connections, after which memory is looked at for the first time: what the process needs anyway is there then. */
const firstShare = 0.2;
const kilobyte = 1_024;

export interface IdleRun {
  name: ContestantName;
  connections: number;
  /** Resident memory without connections, with the first share of them, and with all. */
  rssBytes: { empty: number; first: number; all: number };
  memory: { empty: MemoryHint; all: MemoryHint };
}

/** What connections cost that only wait, each of them a user's own. */
export async function measureIdle(stack: BenchStack, sizes: GatewaySizes): Promise<IdleRun[]> {
  const { idle, rounds } = sizes;
  const rooms = await withPool(stack, async (pool) => {
    const created: Room[] = [];
    while (created.length < idle.servers) created.push(await createRoom(pool, idle.sockets / idle.servers));
    return created;
  });
  const runs: IdleRun[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const name of contestantNames) runs.push(await run(stack, name, { rooms, sizes }));
  }
  return runs;
}

async function run(
  stack: BenchStack,
  name: ContestantName,
  { rooms, sizes }: { rooms: readonly Room[]; sizes: GatewaySizes },
): Promise<IdleRun> {
  const { sockets, settleMs } = sizes.idle;
  const userIds = rooms.flatMap((room) => room.userIds);
  const contestant = await startContestant(stack, name, { serverId: "", channelId: "", userIds });
  const readers = startReaders(readerProcesses);
  const paths = Array.from({ length: sockets }, (_, index) => contestant.path(index));
  const connect = async (some: string[]) => {
    const { failed } = await readers.connectPaths(contestant, some, 64);
    if (failed > 0) throw new Error(`${name}: ${failed} connections failed`);
    await pause(settleMs);
    return residentBytes(contestant.pid);
  };
  try {
    const [empty, emptyMemory] = [await residentBytes(contestant.pid), await contestant.memory()];
    const first = await connect(paths.slice(0, sockets * firstShare));
    const all = await connect(paths.slice(sockets * firstShare));
    const memory = { empty: emptyMemory, all: await contestant.memory() };
    return { name, connections: sockets, rssBytes: { empty, first, all }, memory };
  } finally {
    await readers.stop();
    await contestant.stop();
  }
}

export function reportIdle(runs: readonly IdleRun[], { idle, rounds }: GatewaySizes): void {
  report(`idle: ${idle.sockets} connections, each of another user, in ${idle.servers} servers`);
  for (const name of contestantNames) {
    const own = runs.filter((each) => each.name === name);
    const value = (read: (each: IdleRun) => number) => median(own.map((each) => read(each) / kilobyte)).toFixed(1);
    const total = value(({ rssBytes, connections }) => (rssBytes.all - rssBytes.empty) / connections);
    const later = value(
      ({ rssBytes, connections }) => (rssBytes.all - rssBytes.first) / (connections * (1 - firstShare)),
    );
    const heap = value(({ memory, connections }) => (memory.all.heapUsed - memory.empty.heapUsed) / connections);
    const external = value(({ memory, connections }) => (memory.all.external - memory.empty.external) / connections);
    report(
      `  ${name.padEnd(10)} ${total} KB of RSS each${name === "gateway" ? " (goal: 12)" : ""}, ${later} KB each after the first ${firstShare * 100}%; of it heap ${heap} KB (with garbage), external ${external} KB  (median of ${rounds})`,
    );
  }
}
