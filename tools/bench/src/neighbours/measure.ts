import { setTimeout as pause } from "node:timers/promises";
import { ascending, median, percentile, sendSteadily, sum, timeOf, timer, watchProcessors } from "../measure.js";
import { type Program, startProgram } from "../program.js";
import type { HostileReport } from "./loads.js";
import { lostAfterMs, type Probe } from "./probes.js";
import type { HostileFunctions } from "./process.js";
import type { Bound, PreparedScenario, Scenario } from "./scenario.js";
import type { NeighbourSizes } from "./sizes.js";
import type { Neighbourhood } from "./world.js";

/** The quiet tenant does so much a second, whether or not it still waits for earlier ones. */
const samplesPerSecond = 10;
/** After the hostile load: the services are as before when so many samples in a row succeed. */
const calmSamples = 3;
const calmTimeoutMs = 60_000;

/** The quiet tenant over one phase. */
interface Phase {
  samples: number;
  p50: number;
  p99: number;
  failures: string[];
  /** Share of the machine's processors that nobody used. */
  idle: number;
}

/** One scenario, measured. */
export interface Outcome {
  readonly scenario: Scenario;
  readonly alone: Phase;
  readonly beside: Phase;
  readonly reports: readonly HostileReport[];
  /** Events that the quiet tenant lost, beside the hostile one and alone. */
  readonly losses: readonly string[];
  readonly bounds: readonly Bound[];
}

/** Measures the quiet tenant alone and beside the hostile one, in turns. */
export async function measureScenario(
  world: Neighbourhood,
  scenario: Scenario,
  sizes: NeighbourSizes,
): Promise<Outcome> {
  const prepared = await scenario.prepare(world, sizes);
  const { probe } = prepared;
  const hostile = startProgram<HostileFunctions>("neighbours/process");
  try {
    const phaseMs = Math.max(sizes.phaseMs, scenario.phaseMsMin ?? 0);
    const rounds = await measureRounds(prepared, hostile, {
      ...sizes,
      aloneMs: Math.min(sizes.phaseMs, 10_000),
      phaseMs,
    });
    const reports = rounds.map(({ report }) => report);
    const alone = medianOf(rounds.map((round) => round.alone));
    const beside = medianOf(rounds.map((round) => round.beside));
    const losses = [...alone.failures, ...beside.failures, ...((await probe.losses?.()) ?? [])];
    return { scenario, alone, beside, reports, losses, bounds: (await prepared.bounds?.(reports)) ?? [] };
  } finally {
    await hostile.stop();
    await probe.close?.();
    await prepared.close?.();
  }
}

async function measureRounds(
  { probe, loads, calmDown }: PreparedScenario,
  hostile: Program<HostileFunctions>,
  { rounds, aloneMs, phaseMs, warmUpMs }: NeighbourSizes & { aloneMs: number },
) {
  const besideHostile = async (round: number, durationMs: number) => {
    await hostile.call("start", loads(round));
    const beside = await measurePhase(probe, durationMs);
    const report = await hostile.call("stop");
    await calmDown?.();
    await becomeCalm(probe);
    return { beside, report };
  };
  const measured: { alone: Phase; beside: Phase; report: HostileReport }[] = [];
  await becomeCalm(probe);
  // Not counted: code that the quiet tenant alone does not make hot is compiled for the first time.
  if (warmUpMs > 0) await besideHostile(0, Math.min(phaseMs, warmUpMs));
  for (let round = 0; round < rounds; round += 1) {
    const alone = await measurePhase(probe, aloneMs);
    measured.push({ alone, ...(await besideHostile(round, phaseMs)) });
  }
  return measured;
}

async function measurePhase(probe: Probe, durationMs: number): Promise<Phase> {
  const latencies: number[] = [];
  const failures: string[] = [];
  const idle = watchProcessors();
  await sendSteadily({ perSecond: samplesPerSecond, isDone: timer(durationMs) }, async (n) => {
    const fail = (error: unknown) => failures.push(error instanceof Error ? error.message : String(error));
    latencies.push(await timeOf(() => withinTime(probe.sample(n)).catch(fail)));
  });
  const times = ascending(latencies);
  return { samples: times.length, p50: percentile(times, 0.5), p99: percentile(times, 0.99), failures, idle: idle() };
}

async function withinTime(work: Promise<unknown>): Promise<void> {
  let timeout: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timeout = setTimeout(() => reject(new Error(`not within ${lostAfterMs} ms`)), lostAfterMs);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timeout));
}

/** Samples that succeed one after the other show that the code is warm and the backlog has drained. */
async function becomeCalm(probe: Probe): Promise<void> {
  const isOver = timer(calmTimeoutMs);
  for (let succeeded = 0, n = 0; succeeded < calmSamples && !isOver(); n += 1) {
    const isWell = await withinTime(probe.sample(n)).then(
      () => true,
      () => false,
    );
    succeeded = isWell ? succeeded + 1 : 0;
    await pause(1_000 / samplesPerSecond);
  }
}

function medianOf(phases: readonly Phase[]): Phase {
  const middle = (key: "p50" | "p99" | "idle") => median(phases.map((phase) => phase[key]));
  return {
    samples: sum(phases.map(({ samples }) => samples)),
    p50: middle("p50"),
    p99: middle("p99"),
    idle: middle("idle"),
    failures: phases.flatMap(({ failures }) => failures),
  };
}
