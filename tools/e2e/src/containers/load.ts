import { createClient as createParleyClient } from "@parley/client";
import { createClient, createServerWithMembers, type UserClient, waitUntil } from "@parley/testing";
import { readHistory, startWriters, type Writers } from "../deploy/rolling-traffic.js";

const listenerCount = 10;
/** Users who post and read without pause, each after the answer to the last request. */
const writerCount = 2;
/** Before an operation and after it. */
const settledMessages = 30;

/** The cost of an operation for the users who wrote and listened meanwhile. */
export interface Cost {
  readonly acknowledged: number;
  /** When each of them was answered, in milliseconds since 1970. */
  readonly answeredAt: readonly number[];
  /** Requests that were not answered with 2xx, until `mark` and after it. */
  readonly failures: readonly string[];
  readonly failuresAfterMark: readonly string[];
  /** The longest time without an acknowledged message, until `mark` and after it. */
  readonly gapMs: number;
  readonly gapAfterMarkMs: number;
  /** Acknowledged messages that history has not. */
  readonly lost: number;
  /** Messages that history has twice, and events that a listener got twice. */
  readonly doubled: number;
  /** Events of acknowledged messages that a listener never got, over all listeners. */
  readonly missed: number;
  /** Connections that were continued, and those that began anew. */
  readonly continued: number;
  readonly readAnew: number;
}

/** Runs an operation while people write to a channel of their own and others listen to it; `mark` is for a part that is counted apart. */
export async function underLoad(
  url: string,
  operation: (mark: () => void) => Promise<void>,
  options: { withNonces?: boolean } = {},
): Promise<Cost> {
  const fixture = await createServerWithMembers(createClient(url), listenerCount);
  const listeners = fixture.members.map((member) => listen(url, member));
  await Promise.all(listeners.map(({ connected }) => connected));
  const writers = startWriters([fixture.owner, ...fixture.members].slice(0, writerCount), fixture.channel.id, options);
  let marked = { atMs: Infinity, failures: Infinity };
  try {
    await moreMessages(writers);
    await operation(() => {
      marked = { atMs: performance.now(), failures: writers.failures.length };
    });
    await moreMessages(writers);
  } finally {
    await writers.stop();
  }
  const history = await readHistory(fixture);
  const acknowledged = writers.sent.map(({ id }) => id);
  const isComplete = () => listeners.every(({ ids }) => acknowledged.every((id) => ids.has(id)));
  // The count below has the messages that are still missing then.
  await waitUntil(isComplete, { timeoutMs: 30_000 }).catch(() => undefined);
  for (const { close } of listeners) close();

  const sum = (count: (listener: (typeof listeners)[number]) => number) =>
    listeners.reduce((total, listener) => total + count(listener), 0);
  const stored = new Set(history);
  return {
    acknowledged: acknowledged.length,
    answeredAt: writers.sent.map(({ answeredAtMs }) => performance.timeOrigin + answeredAtMs),
    failures: writers.failures.slice(0, marked.failures),
    failuresAfterMark: writers.failures.slice(marked.failures),
    ...gaps(writers, marked.atMs),
    lost: acknowledged.filter((id) => !stored.has(id)).length,
    doubled: history.length - stored.size + sum(({ counts, ids }) => counts.messages - ids.size),
    missed: sum(({ ids }) => acknowledged.filter((id) => !ids.has(id)).length),
    continued: sum(({ counts }) => counts.resumed),
    readAnew: sum(({ counts }) => counts.ready - 1),
  };
}

/** The number of failed requests for each status, and of those without an answer. */
export function failuresByKind(failures: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const failure of failures) {
    const kind = /(?:answered|GET) (\d{3})/.exec(failure)?.[1] ?? "no answer";
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, count]) => `${count} x ${kind}`).join(", ");
}

/** One line about the cost of an operation. */
export function printCost(what: string, cost: Cost): void {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const kinds = [...new Set([...cost.failures, ...cost.failuresAfterMark].map((failure) => failure.slice(0, 100)))];
  process.stdout.write(
    `containers: ${what}: ${cost.acknowledged} acknowledged, ${cost.failures.length} requests failed, longest gap ${seconds(cost.gapMs)}; ` +
      `from the edge's replacement on ${cost.failuresAfterMark.length} failed, gap ${seconds(cost.gapAfterMarkMs)}; ` +
      `${cost.lost} lost, ${cost.doubled} doubled, ${cost.missed} missed by listeners, ${cost.continued} continued, ` +
      `${cost.readAnew} read anew ${kinds.slice(0, 3).join("; ")}\n`,
  );
}

/** A member whose client continues after a lost connection, and the events of all its connections. */
function listen(baseUrl: string, { accessToken, refreshToken }: UserClient) {
  const gateway = createParleyClient({ baseUrl, tokens: { accessToken, refreshToken } }).gateway({
    backoff: { baseMs: 200, maxMs: 1_000 },
  });
  const ids = new Set<string>();
  const counts = { messages: 0, ready: 0, resumed: 0 };
  gateway.on("READY", () => (counts.ready += 1));
  gateway.on("RESUMED", () => (counts.resumed += 1));
  gateway.on("MESSAGE_CREATE", ({ id }) => {
    counts.messages += 1;
    ids.add(id);
  });
  return { connected: gateway.connect(), ids, counts, close: () => gateway.close() };
}

function moreMessages(writers: Writers): Promise<unknown> {
  const until = writers.sent.length + settledMessages;
  return waitUntil(() => writers.sent.length >= until, { timeoutMs: 60_000, what: "messages to be answered" });
}

function gaps({ sent }: Writers, markedAtMs: number): Pick<Cost, "gapMs" | "gapAfterMarkMs"> {
  const longest = { gapMs: 0, gapAfterMarkMs: 0 };
  const answered = sent.map(({ answeredAtMs }) => answeredAtMs).toSorted((one, other) => one - other);
  for (const [at, atMs] of answered.entries()) {
    const key = atMs < markedAtMs ? "gapMs" : "gapAfterMarkMs";
    longest[key] = Math.max(longest[key], atMs - (answered[at - 1] ?? atMs));
  }
  return longest;
}
