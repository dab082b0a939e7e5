import { Clients, type Delivery } from "../clients/clients.js";
import { type Pace, sum } from "../measure.js";
import { cpuSeconds } from "../processes.js";
import type { BenchStack } from "../stack.js";
import { createRoom } from "../world.js";
import { type Contestant, type ContestantName, contestantNames, startContestant } from "./contestants.js";
import { type Publisher, type Route, startPublisher } from "./publisher.js";

/** A contestant whose connections all get the events of one channel, and the one who publishes them. */
export interface Arena {
  contestant: Contestant;
  clients: Clients;
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
  options: { rounds: number; users: number; sockets: number; clientProcesses: number },
  measure: (arena: Arena, name: ContestantName) => Promise<Run>,
): Promise<Run[]> {
  const room = await createRoom(stack.pool, options.users);
  const publisher = await startPublisher(stack.servers.nats.url);
  const runs: Run[] = [];
  try {
    for (let round = 0; round < options.rounds; round += 1) {
      for (const name of contestantNames) {
        const contestant = await startContestant(stack, name, room);
        const clients = new Clients(options.clientProcesses);
        try {
          await clients.connect(contestant, contestant.paths(options.sockets));
          runs.push(await measure({ contestant, clients, publisher }, name));
        } finally {
          await clients.stop();
          await contestant.stop();
        }
      }
    }
    return runs;
  } finally {
    await publisher.close();
  }
}

/** Publishes events to all clients. @returns what they got, and the processor seconds that the server took */
export async function deliver(
  { contestant, clients, publisher }: Arena,
  { timed = true, ...pace }: Pace & { timed?: boolean; route?: Route },
): Promise<{ delivery: Delivery; sentAt: number; cpu: number }> {
  await clients.begin({ payloadBytes: contestant.payloadBytes(publisher.body), timed });
  const cpuBefore = await cpuSeconds(contestant.pid);
  const sentAt = await publisher.publish(contestant, pace);
  const delivery = await clients.finish(sentAt);
  return { delivery, sentAt: sentAt[0] ?? Number.NaN, cpu: (await cpuSeconds(contestant.pid)) - cpuBefore };
}

/** Done after so many. */
export function upTo(events: number): (published: number) => boolean {
  return (published) => published >= events;
}

/** `n of m frames, k of l sockets complete` over some deliveries. */
export function deliveriesInWords(deliveries: readonly Delivery[]): string {
  const total = (key: "counted" | "expected" | "complete" | "sockets") => sum(deliveries.map((each) => each[key]));
  return `${total("counted")} of ${total("expected")} frames, ${total("complete")} of ${total("sockets")} sockets complete`;
}
