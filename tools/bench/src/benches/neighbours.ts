import { bench } from "../bench.js";
import { check, report, reportHead, reportRow } from "../measure.js";
import { loadInWords } from "../neighbours/loads.js";
import { measureScenario, type Outcome } from "../neighbours/measure.js";
import { apiScenarios } from "../neighbours/scenarios/api.js";
import { consumerScenarios } from "../neighbours/scenarios/consumers.js";
import { gatewayScenarios } from "../neighbours/scenarios/gateway.js";
import { fullSizes, quickSizes } from "../neighbours/sizes.js";
import { startNeighbourhood } from "../neighbours/world.js";

/** Every resource that tenants share. */
const scenarios = [...gatewayScenarios, ...apiScenarios, ...consumerScenarios];

/**
 * For each shared resource a hostile tenant at its caps and a quiet one on the same processes: the quiet one's p99
 * beside it and alone, in turns in one run, and whether it loses anything. Words are names of scenarios.
 */
export default bench(
  { sizes: fullSizes, quick: quickSizes, words: scenarios.map(({ name }) => name) },
  async (sizes, words) => {
    reportHead([
      ...["scenario", "resource", "p50/p99 alone (ms)", "p50/p99 beside (ms)", "p99 ratio", "lost"],
      ...["idle alone/beside", "hostile load reached"],
    ]);
    const outcomes: Outcome[] = [];
    let world = await startNeighbourhood();
    try {
      for (const scenario of scenarios) {
        if (words.length > 0 && !words.includes(scenario.name)) continue;
        if (sizes.ownServers > 0 && outcomes.length > 0) {
          await world.stop();
          world = await startNeighbourhood();
        }
        const outcome = await measureScenario(world, scenario, sizes);
        reportOutcome(outcome);
        outcomes.push(outcome);
      }
    } finally {
      await world.stop();
    }
    for (const { scenario, losses, bounds, reports } of outcomes) {
      check(`what the quiet tenant lost beside ${scenario.name}`, losses, []);
      for (const { what, counted, max } of bounds) {
        report(`${scenario.name}: ${what}: ${counted} (at most ${max})`);
        check(`${scenario.name}: ${what} within the bound`, counted <= max, true);
      }
      // A hostile tenant who got nothing done at all was none.
      const idle = reports.filter(({ done, answers }) => done === 0 && Object.keys(answers).length === 0).length;
      check(`rounds in which the hostile tenant of ${scenario.name} did nothing`, idle, 0);
    }
  },
);

function reportOutcome({ scenario, alone, beside, losses, reports }: Outcome): void {
  const inMs = (value: number) => value.toFixed(value < 10 ? 1 : 0);
  const times = ({ p50, p99 }: { p50: number; p99: number }) => `${inMs(p50)} / ${inMs(p99)}`;
  reportRow([
    scenario.name,
    scenario.resource,
    times(alone),
    times(beside),
    (beside.p99 / alone.p99).toFixed(1),
    `${losses.length} of ${alone.samples + beside.samples}`,
    `${(alone.idle * 100).toFixed(0)} / ${(beside.idle * 100).toFixed(0)} %`,
    reports.map(loadInWords).at(-1) ?? "",
  ]);
}
