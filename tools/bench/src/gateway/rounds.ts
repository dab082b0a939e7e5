import { type Readers, startReaders } from "../clients/readers.js";
import { type BenchStack, withPool } from "../stack.js";
import { createRoom } from "../world.js";
import { type Contestant, type ContestantName, contestantNames, startContestant } from "./contestants.js";
import { type Publisher, startPublisher } from "./publisher.js";

/** A contestant whose connections all get the events of one channel, and the one who publishes them. */
export interface Arena {
  name: ContestantName;
  contestant: Contestant;
  readers: Readers;
  publisher: Publisher;
}

/**
 * Measures every contestant in turn, each with fresh processes and alone, in so many rounds.
 *
 * @param options.users members of the channel: the gateway's connections are theirs, in turns
 * @param measure what is done once all sockets are connected
 * @returns what the measurements returned, round by round
 */
export async function inRounds<Run>(
  stack: BenchStack,
  options: { rounds: number; users: number; sockets: number; readerProcesses: number },
  measure: (arena: Arena) => Promise<Run>,
): Promise<Run[]> {
  const room = await withPool(stack, (pool) => createRoom(pool, options.users));
  const publisher = await startPublisher(stack.natsUrl);
  const runs: Run[] = [];
  try {
    for (let round = 0; round < options.rounds; round += 1) {
      for (const name of contestantNames) {
        const contestant = await startContestant(stack, name, room);
        const readers = startReaders(options.readerProcesses);
        try {
          await readers.connect(contestant, options.sockets);
          runs.push(await measure({ name, contestant, readers, publisher }));
        } finally {
          await readers.stop();
          await contestant.stop();
        }
      }
    }
    return runs;
  } finally {
    await publisher.close();
  }
}
