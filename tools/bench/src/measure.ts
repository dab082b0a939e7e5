import { cpus } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

/** The measurements of many operations. */
export interface Run {
  perSecond: number;
  /** Latencies in milliseconds. */
  p50: number;
  p99: number;
}

/**
 * Runs an operation again and again on a number of lanes at once.
 *
 * @param options.durationMs how long; operations under way then are waited for
 */
export async function runLanes(
  options: { lanes: number; durationMs: number },
  operation: (lane: number) => Promise<unknown>,
): Promise<Run> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const until = startedAt + options.durationMs;
  const lane = async (number: number) => {
    while (performance.now() < until) latencies.push(await timeOf(() => operation(number)));
  };
  await Promise.all(Array.from({ length: options.lanes }, (_, number) => lane(number)));
  const seconds = (performance.now() - startedAt) / 1000;
  const times = ascending(latencies);
  return { perSecond: times.length / seconds, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

/** Runs an operation so many times, on a number of lanes at once. */
export async function repeat(
  times: number,
  lanes: number,
  operation: (n: number, lane: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const lane = async (_: unknown, number: number) => {
    while (next < times) await operation(next++, number);
  };
  await Promise.all(Array.from({ length: Math.min(times, lanes) }, lane));
}

/** @returns milliseconds that an operation took */
export async function timeOf(operation: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await operation();
  return performance.now() - from;
}

/**
 * Sends at a steady rate, whether or not earlier ones are answered, until `isDone` returns true of the number sent.
 *
 * @param send gets the number of each, from 0, and when it was due
 * @returns when each was sent, by the clock of `clockMs`, once all are answered
 */
export async function sendSteadily(
  { perSecond, isDone }: Pace,
  send: (number: number, dueAt: number) => Promise<unknown>,
): Promise<number[]> {
  const sentAt: number[] = [];
  const answers: Promise<unknown>[] = [];
  const startedAt = clockMs();
  while (!isDone(sentAt.length)) {
    const dueAt = startedAt + (sentAt.length / perSecond) * 1_000;
    const dueInMs = dueAt - clockMs();
    if (dueInMs > 0) {
      await pause(dueInMs);
      continue;
    }
    sentAt.push(clockMs());
    answers.push(send(sentAt.length - 1, dueAt));
  }
  await Promise.all(answers);
  return sentAt;
}

export interface Pace {
  perSecond: number;
  isDone: (sent: number) => boolean;
}

/** Done after so many. */
export function upTo(count: number): (sent: number) => boolean {
  return (sent) => sent >= count;
}

/** Becomes true after so long. */
export function timer(durationMs: number): () => boolean {
  const end = performance.now() + durationMs;
  return () => performance.now() >= end;
}

/**
 * Milliseconds of the machine's monotonic clock, so that times taken in different processes can be subtracted. Read
 * directly: an offset to `performance.now()` would be wrong by any pause of the process while taking it.
 */
export function clockMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1e6;
}

/** @returns reads the share of the processors' time since then that was not used */
export function watchProcessors(): () => number {
  const read = () => {
    const times = cpus().map((cpu) => cpu.times);
    const idle = sum(times.map((each) => each.idle));
    return { idle, all: idle + sum(times.map(({ user, nice, sys, irq }) => user + nice + sys + irq)) };
  };
  const before = read();
  return () => {
    const after = read();
    return (after.idle - before.idle) / (after.all - before.all);
  };
}

/** A percentile of ascending values. */
export function percentile(values: ArrayLike<number>, share: number): number {
  return values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
}

/** `p50 1.0 ms, p99 2.0 ms` of ascending values. */
export function percentilesInWords(values: ArrayLike<number>): string {
  return `p50 ${percentile(values, 0.5).toFixed(1)} ms, p99 ${percentile(values, 0.99).toFixed(1)} ms`;
}

export function ascending(values: Iterable<number>): Float64Array {
  return Float64Array.from(values).sort();
}

/** The values of all parts, ascending. */
export function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(sum(parts.map(({ length }) => length)));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all.sort();
}

/** The middle one of some values. */
export function median(values: Iterable<number>): number {
  return percentile(ascending(values), 0.5);
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Prints a line of the report; benchmarks report, they never fail on time. */
export function report(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints the head of a table whose rows `reportRow` prints. */
export function reportHead(names: readonly (string | number)[]): void {
  reportRow(names);
  report(`|${names.map(() => "---|").join("")}`);
}

export function reportRow(cells: readonly (string | number)[]): void {
  report(`| ${cells.join(" | ")} |`);
}

/** `a` in times of `b`; a dash where `b` was too little to be measured. */
export function ratio(a: number, b: number, digits = 2): string {
  return b > 0 ? (a / b).toFixed(digits) : "–";
}

/**
 * Checks results that do not depend on time. If one is wrong, the figures mean nothing: the benchmark prints that, and
 * ends with 1.
 */
export function check(what: string, counted: unknown, expected: unknown): void {
  if (isDeepStrictEqual(counted, expected)) return;
  report(`WRONG: ${what}: ${JSON.stringify(counted)} instead of ${JSON.stringify(expected)}`);
  process.exitCode = 1;
}
