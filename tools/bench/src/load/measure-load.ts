import { availableParallelism } from "node:os";
import { delaysBetween, receivedOf } from "../clients/received.js";
import { ascending, clockMs, joined, sendSteadily, sum, timeOf, timer, watchProcessors } from "../measure.js";
import { type Program, startProgram } from "../program.js";
import type { Accounts } from "./accounts.js";
import { Installation, Refused } from "./installation.js";
import type { LoadOptions } from "./options.js";
import { readProcessFigures } from "./process-figures.js";
import { makeRooms, type Room } from "./room.js";
import type { SocketFunctions } from "./sockets.js";

/** Connections that become ready at a time. */
const inFlightMax = 64;
const socketsOfProcess = 2_000;
/** After so long without a message none is expected any more. */
const quietMs = 5_000;

/** The result of a run. */
export type LoadResult = Awaited<ReturnType<typeof measureLoad>>;

/** Makes the accounts, connects them, writes, and counts; deletes nothing. */
export async function measureLoad(accounts: Accounts, options: LoadOptions, signal?: AbortSignal) {
  const installation = new Installation(options.url, signal);
  await accounts.register(installation, options.invite);
  const rooms = await makeRooms(installation, accounts, { users: options.users, size: options["server-size"] });
  const processes = Math.min(availableParallelism(), Math.ceil(options.users / socketsOfProcess));
  const programs = Array.from({ length: processes }, () => startProgram<SocketFunctions>("load/sockets"));
  try {
    const figures = { empty: await readProcessFigures(options.metrics) };
    const viewers = new Set(
      rooms.flatMap(({ members }) => members.slice(0, Math.ceil(members.length * options.viewing))),
    );
    const connections = await connect(programs, installation, accounts, { rooms, viewers, ...options });
    signal?.throwIfAborted();
    const connected = await readProcessFigures(options.metrics);
    const idle = watchProcessors();
    for (const program of programs) await program.call("begin", accounts.id);
    const written = await write(installation, accounts, rooms, { ...options, signal });
    const idleShare = idle();
    const expected = expectedOf(rooms, viewers, written.acknowledged);
    const each = (index: number) =>
      sum([...expected].map(([number, events]) => (number % processes === index ? events.length : 0)));
    const collected = await Promise.all(
      programs.map((program, index) => program.call("collect", each(index), quietMs)),
    );
    const afterwards = await readProcessFigures(options.metrics);
    const { lost, repeated } = receivedOf(expected, rooms.length, collected, new Set());
    return {
      ...connections,
      servers: rooms.length,
      viewers: viewers.size,
      sent: written.sentAt.length,
      refused: written.refused,
      postMs: ascending(written.postMs),
      deliveredMs: delaysBetween(collected, written.sentAt, { from: 0, to: Number.POSITIVE_INFINITY }),
      expected: sum([...expected.values()].map(({ length }) => length)),
      lost,
      repeated,
      closed: sum(collected.map(({ closed }) => closed)),
      frames: sum(collected.map(({ frames }) => frames)),
      bytes: sum(collected.map(({ bytes }) => bytes)),
      idleShare,
      figures: { ...figures, connected, afterwards },
    };
  } finally {
    for (const program of programs) await program.call("disconnect").catch(() => undefined);
    await Promise.all(programs.map((program) => program.stop()));
  }
}

interface Connecting extends LoadOptions {
  rooms: readonly Room[];
  viewers: ReadonlySet<number>;
}

/** Connects every account as a page does: numbered, presence on demand, with the channel that it shows. */
async function connect(
  programs: readonly Program<SocketFunctions>[],
  installation: Installation,
  accounts: Accounts,
  { rooms, viewers, compression }: Connecting,
) {
  const urls: { number: number; url: string }[] = [];
  for (const { channelId, members } of rooms) {
    for (const number of members) {
      const view = viewers.has(number) ? channelId : "on";
      const query = `&v=2&s=&presence=subscribed&view=${view}`;
      urls.push({ number, url: installation.socketUrl(await accounts.token(installation, number), query) });
    }
  }
  const startedAt = clockMs();
  const answers = await Promise.all(
    programs.map((program, index) => {
      const own = urls.filter(({ number }) => number % programs.length === index);
      return program.call("connect", own, Math.ceil(inFlightMax / programs.length), compression);
    }),
  );
  const connectReasons: Record<string, number> = {};
  for (const [reason, times] of answers.flatMap(({ reasons }) => Object.entries(reasons))) {
    connectReasons[reason] = (connectReasons[reason] ?? 0) + times;
  }
  return { readyMs: joined(answers.map(({ readyMs }) => readyMs)), connectMs: clockMs() - startedAt, connectReasons };
}

interface Writing extends LoadOptions {
  signal: AbortSignal | undefined;
}

/** Members of all servers write in turn, whether or not earlier messages are answered. */
async function write(installation: Installation, accounts: Accounts, rooms: readonly Room[], options: Writing) {
  const postMs: number[] = [];
  const refused: Record<string, number> = {};
  const acknowledged: number[] = [];
  const isOver = timer(options.seconds * 1_000);
  const isDone = () => isOver() || options.signal?.aborted === true;
  const sentAt = await sendSteadily({ perSecond: options.rate, isDone }, async (n) => {
    const { channelId, members } = rooms[n % rooms.length] ?? { channelId: "", members: [] };
    const token = await accounts.token(installation, members[Math.floor(n / rooms.length) % members.length] ?? 0);
    // As long as messages of people are in the middle.
    const body = { content: `${accounts.id} ${n} ${"and some words more that say something".slice(0, 40)}` };
    try {
      const post = () => installation.once("POST", `/channels/${channelId}/messages`, { token, body });
      postMs.push(await timeOf(post));
      acknowledged.push(n);
    } catch (error) {
      const reason = error instanceof Refused ? `HTTP ${error.status}` : String(error);
      refused[reason] = (refused[reason] ?? 0) + 1;
    }
  });
  options.signal?.throwIfAborted();
  return { sentAt, postMs, refused, acknowledged };
}

/** The messages that each viewer is to get. */
function expectedOf(rooms: readonly Room[], viewers: ReadonlySet<number>, acknowledged: readonly number[]) {
  const expected = new Map<number, number[]>();
  for (const number of viewers) expected.set(number, []);
  for (const event of acknowledged) {
    for (const number of rooms[event % rooms.length]?.members ?? []) expected.get(number)?.push(event);
  }
  return expected;
}
