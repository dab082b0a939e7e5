import type { ServerProcess } from "@parley/local-stack";
import { median, type Run, ratio, report, runLanes } from "./measure.js";
import { cpuSeconds } from "./processes.js";
import { type BenchStack, statementsAtOnce } from "./stack.js";
import { roundTrips } from "./statements.js";

const lanes = statementsAtOnce;

/** A request of one api, and the statement that it is measured beside. */
interface Pair {
  name: string;
  request: () => Promise<unknown>;
  statement: () => Promise<unknown>;
  goal: string;
}

export const alternateSizes = { rounds: 3, seconds: 5 };
export const alternateQuick = { rounds: 1, seconds: 1 };

/** Measures both in turns, each at concurrency 16. Prints rates, latencies, the ratio, and the cost of a request. */
export async function alternate(
  stack: BenchStack,
  api: ServerProcess,
  { name, request, statement, goal }: Pair,
  { rounds, seconds }: typeof alternateSizes,
): Promise<void> {
  let answered = 0;
  const counted = async () => {
    await request();
    answered += 1;
  };
  const durationMs = seconds * 1_000;
  await runLanes({ lanes, durationMs: durationMs / 2 }, counted);
  await runLanes({ lanes, durationMs: durationMs / 4 }, statement);
  const read = async () => ({ ...(await roundTrips(stack)), cpu: await cpuSeconds(api.pid()), answered });
  const before = await read();
  const requests = [await runLanes({ lanes, durationMs }, counted)];
  const after = await read();
  const each = (key: keyof typeof before) => (after[key] - before[key]) / (after.answered - before.answered);
  const statements = [await runLanes({ lanes, durationMs }, statement)];
  while (requests.length < rounds) {
    requests.push(await runLanes({ lanes, durationMs }, counted));
    statements.push(await runLanes({ lanes, durationMs }, statement));
  }
  const value = (runs: readonly Run[], key: keyof Run) => median(runs.map((run) => run[key]));
  const line = (runs: readonly Run[]) =>
    `${value(runs, "perSecond").toFixed(0)}/s, p50 ${value(runs, "p50").toFixed(2)} ms, p99 ${value(runs, "p99").toFixed(2)} ms`;
  const [rate, bare] = [value(requests, "perSecond"), value(statements, "perSecond")];
  report(`${name}: ${line(requests)}  (median of ${rounds}, concurrency ${lanes})`);
  report(`  bare statement  ${line(statements)}`);
  report(
    `  ratio           ${ratio(rate, bare)} of the bare rate, ${ratio(bare, rate)} times as long  (goal: ${goal})`,
  );
  report(
    `  each            ${(each("cpu") * 1e6).toFixed(0)} µs of the api's processor, ${each("statements").toFixed(2)} SQL statements (batches shared), ${each("redisCommands").toFixed(2)} Redis commands (a script and what it runs)`,
  );
}
