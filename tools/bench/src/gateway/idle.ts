import { setTimeout as pause } from "node:timers/promises";
import { type Readers, startReaders } from "../clients/readers.js";
import { median, report } from "../measure.js";
import { residentBytes } from "../processes.js";
import { type BenchStack, withPool } from "../stack.js";
import { createRoom, type Room } from "../world.js";
import {
  type Contestant,
  type ContestantName,
  contestantNames,
  type MemoryHint,
  startContestant,
} from "./contestants.js";
import type { GatewaySizes } from "./sizes.js";

const readerProcesses = 2;
/** Connections that become ready at a time. */
const inFlightMax = 64;
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
  for (let round = 0; round < rounds; round += 1) runs.push(...(await runAll(stack, { rooms, sizes })));
  return runs;
}

/** All contestants side by side: who waits does not disturb, so they settle at the same time. */
async function runAll(
  stack: BenchStack,
  { rooms, sizes }: { rooms: readonly Room[]; sizes: GatewaySizes },
): Promise<IdleRun[]> {
  const { sockets, settleMs } = sizes.idle;
  const userIds = rooms.flatMap((room) => room.userIds);
  const subjects: Subject[] = [];
  try {
    for (const name of contestantNames) {
      const contestant = await startContestant(stack, name, { serverId: "", channelId: "", userIds });
      const readers = startReaders(readerProcesses);
      const [rss, memory] = [await residentBytes(contestant.pid), await contestant.memory()];
      subjects.push({ name, contestant, readers, empty: { rss, memory } });
    }
    const rssOfAll = async (from: number, to: number) => {
      for (const subject of subjects) await connect(subject, from, to);
      await pause(settleMs);
      return Promise.all(subjects.map(({ contestant }) => residentBytes(contestant.pid)));
    };
    const first = await rssOfAll(0, sockets * firstShare);
    const all = await rssOfAll(sockets * firstShare, sockets);
    return await Promise.all(
      subjects.map(async ({ name, contestant, empty }, index) => ({
        name,
        connections: sockets,
        rssBytes: { empty: empty.rss, first: first[index] ?? Number.NaN, all: all[index] ?? Number.NaN },
        memory: { empty: empty.memory, all: await contestant.memory() },
      })),
    );
  } finally {
    for (const { contestant, readers } of subjects) {
      await readers.stop();
      await contestant.stop();
    }
  }
}

/** A contestant on the scales. */
interface Subject {
  name: ContestantName;
  contestant: Contestant;
  readers: Readers;
  empty: { rss: number; memory: MemoryHint };
}

async function connect({ name, contestant, readers }: Subject, from: number, to: number): Promise<void> {
  const paths = Array.from({ length: to - from }, (_, index) => contestant.path(from + index));
  const { failed } = await readers.connectPaths(contestant, paths, inFlightMax);
  if (failed > 0) throw new Error(`${name}: ${failed} connections failed`);
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
