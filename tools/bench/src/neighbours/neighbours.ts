import { report } from "../measure.js";
import { loadInWords } from "./loads.js";
import { measureScenario, type Outcome } from "./measure.js";
import type { Scenario } from "./scenario.js";
import { apiScenarios } from "./scenarios/api.js";
import { consumerScenarios } from "./scenarios/consumers.js";
import { gatewayScenarios } from "./scenarios/gateway.js";
import { fullSizes, type NeighbourSizes, quickSizes } from "./sizes.js";
import { startNeighbourhood } from "./world.js";

/** Every resource that tenants share. */
export const scenarios: readonly Scenario[] = [...gatewayScenarios, ...apiScenarios, ...consumerScenarios];

/**
 * For each shared resource a hostile tenant at its caps and a quiet one on the same processes: what the quiet one's p99
 * is beside it and alone, in turns in one run, and whether it loses anything. Each scenario has servers of its own.
 *
 * @param options `--quick` for sizes that only show that it works; names of scenarios, all when there are none
 */
export async function benchNeighbours(options: readonly string[]): Promise<void> {
  const sizes = options.includes("--quick") ? quickSizes : fullSizes;
  const wanted = options.filter((option) => !option.startsWith("--"));
  const unknown = wanted.filter((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown.length > 0) {
    report(`Unknown: ${unknown.join(", ")}. Scenarios: ${scenarios.map(({ name }) => name).join(", ")}`);
    process.exitCode = 1;
    return;
  }
  report(tableHead);
  const outcomes: Outcome[] = [];
  for (const scenario of scenarios) {
    if (wanted.length > 0 && !wanted.includes(scenario.name)) continue;
    try {
      const outcome = await runOnItsOwn(scenario, sizes);
      report(rowOf(outcome));
      outcomes.push(outcome);
    } catch (error) {
      report(`${scenario.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  for (const line of outcomes.flatMap(remarksOn)) report(line);
}

async function runOnItsOwn(scenario: Scenario, sizes: NeighbourSizes): Promise<Outcome> {
  const world = await startNeighbourhood();
  try {
    return await measureScenario(world, scenario, sizes);
  } finally {
    await world.stop();
  }
}

/** Head of the table whose rows `rowOf` makes. */
export const tableHead = [
  "| scenario | resource | p50/p99 alone (ms) | p50/p99 beside (ms) | p99 ratio | lost | idle alone/beside | hostile load reached |",
  "|---|---|---|---|---|---|---|---|",
].join("\n");

/** One scenario's row. */
export function rowOf({ scenario, alone, beside, losses, reports }: Outcome): string {
  const inMs = (value: number) => value.toFixed(value < 10 ? 1 : 0);
  const times = ({ p50, p99 }: { p50: number; p99: number }) => `${inMs(p50)} / ${inMs(p99)}`;
  const cells = [
    scenario.name,
    scenario.resource,
    times(alone),
    times(beside),
    (beside.p99 / alone.p99).toFixed(1),
    `${losses.length} of ${alone.samples + beside.samples}`,
    `${(alone.idle * 100).toFixed(0)} / ${(beside.idle * 100).toFixed(0)} %`,
    reports.map(loadInWords).at(-1) ?? "",
  ];
  return `| ${cells.join(" | ")} |`;
}

/** What the table has no room for: what was lost, and what was counted. */
export function remarksOn({ scenario, losses, bounds }: Outcome): string[] {
  const kinds = new Map<string, number>();
  for (const loss of losses) kinds.set(loss, (kinds.get(loss) ?? 0) + 1);
  return [
    ...[...kinds].map(([loss, count]) => `${scenario.name}: lost ×${count}: ${loss}`),
    ...bounds.map(({ what, counted, max }) => `${scenario.name}: ${what}: ${counted} (at most ${max})`),
  ];
}
