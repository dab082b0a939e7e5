import { cpus } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { median, percentile } from "../measure.js";
import { forkHostileTenant, type HostileReport, type HostileTenant } from "./load.js";
import { lostAfterMs, type Probe } from "./probe.js";
import type { Bound, PreparedScenario, Scenario } from "./scenario.js";
import type { NeighbourSizes } from "./sizes.js";
import type { Neighbourhood } from "./world.js";

/** The quiet tenant does something this often, whether or not it still waits for earlier ones. */
const sampleIntervalMs = 100;
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
  /** What the quiet tenant did not get, beside the hostile one and alone. */
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
  const hostile = forkHostileTenant();
  try {
    const phaseMs = Math.max(sizes.phaseMs, scenario.phaseMsMin ?? 0);
    const rounds = await measureRounds(prepared, hostile, { ...sizes, phaseMs });
    const reports = rounds.map(({ report }) => report);
    const alone = medianOf(rounds.map((round) => round.alone));
    const beside = medianOf(rounds.map((round) => round.beside));
    return {
      scenario,
      alone,
      beside,
      reports,
      losses: [...alone.failures, ...beside.failures, ...(await prepared.probe.losses())],
      bounds: (await prepared.bounds?.(reports)) ?? [],
    };
  } finally {
    await hostile.end();
    await prepared.probe.close();
    await prepared.close?.();
  }
}

async function measureRounds(
  { probe, loads, calmDown }: PreparedScenario,
  hostile: HostileTenant,
  { rounds, phaseMs, warmUpMs }: Pick<NeighbourSizes, "rounds" | "phaseMs" | "warmUpMs">,
) {
  const besideHostile = async (round: number, durationMs: number) => {
    await hostile.start(loads(round));
    const beside = await measurePhase(probe, durationMs);
    const report = await hostile.stop();
    await calmDown?.();
    await becomeCalm(probe);
    return { beside, report };
  };
  const measured: { alone: Phase; beside: Phase; report: HostileReport }[] = [];
  await becomeCalm(probe);
  // Not counted: code that the quiet tenant alone does not make hot is compiled for the first time.
  if (warmUpMs > 0) await besideHostile(0, Math.min(phaseMs, warmUpMs));
  for (let round = 0; round < rounds; round += 1) {
    const alone = await measurePhase(probe, Math.min(phaseMs, 10_000));
    measured.push({ alone, ...(await besideHostile(round, phaseMs)) });
  }
  return measured;
}

/** Starts a sample at every interval and waits for all of them. */
async function measurePhase(probe: Probe, durationMs: number): Promise<Phase> {
  const latencies: number[] = [];
  const failures: string[] = [];
  const before = processorTimes();
  const startedAt = performance.now();
  const sample = async (n: number) => {
    const from = performance.now();
    try {
      await withinTime(probe.sample(n));
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
    }
    latencies.push(performance.now() - from);
  };
  const samples: Promise<void>[] = [];
  while (performance.now() - startedAt < durationMs) {
    samples.push(sample(samples.length));
    await pause(Math.max(0, startedAt + samples.length * sampleIntervalMs - performance.now()));
  }
  await Promise.all(samples);
  const after = processorTimes();
  latencies.sort((a, b) => a - b);
  return {
    samples: latencies.length,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    failures,
    idle: (after.idle - before.idle) / (after.all - before.all),
  };
}

async function withinTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${lostAfterMs} ms`)), lostAfterMs);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Both what was warmed up and what has drained show as samples that succeed one after the other. */
async function becomeCalm(probe: Probe): Promise<void> {
  const until = performance.now() + calmTimeoutMs;
  for (let succeeded = 0, n = 0; succeeded < calmSamples && performance.now() < until; n += 1) {
    const isWell = await withinTime(probe.sample(n)).then(
      () => true,
      () => false,
    );
    succeeded = isWell ? succeeded + 1 : 0;
    await pause(sampleIntervalMs);
  }
}

function medianOf(phases: readonly Phase[]): Phase {
  const middle = (key: "p50" | "p99" | "idle") => median(phases.map((phase) => phase[key]));
  return {
    samples: phases.reduce((sum, { samples }) => sum + samples, 0),
    p50: middle("p50"),
    p99: middle("p99"),
    idle: middle("idle"),
    failures: phases.flatMap(({ failures }) => failures),
  };
}

function processorTimes(): { idle: number; all: number } {
  let [idle, all] = [0, 0];
  for (const { times } of cpus()) {
    idle += times.idle;
    all += times.idle + times.user + times.nice + times.sys + times.irq;
  }
  return { idle, all };
}
