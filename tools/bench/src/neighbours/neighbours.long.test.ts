import { afterAll, beforeAll, expect, test } from "vitest";
import { report } from "../measure.js";
import { measureScenario } from "./measure.js";
import { remarksOn, rowOf, scenarios, tableHead } from "./neighbours.js";
import { quickSizes } from "./sizes.js";
import { type Neighbourhood, startNeighbourhood } from "./world.js";

let world: Neighbourhood;
const lines: string[] = [];
beforeAll(async () => {
  world = await startNeighbourhood();
});
afterAll(async () => {
  report([tableHead, ...lines].join("\n"));
  await world?.stop();
});

test.each(scenarios)(
  "$name: the quiet tenant loses nothing beside $hostile",
  { timeout: 180_000 },
  async (scenario) => {
    const outcome = await measureScenario(world, scenario, quickSizes);
    lines.push(rowOf(outcome), ...remarksOn(outcome));
    expect(outcome.losses).toEqual([]);
    expect(outcome.bounds.filter(({ counted, max }) => counted > max)).toEqual([]);
    // A hostile tenant who got nothing done at all was none.
    for (const { done, answers } of outcome.reports) {
      expect(done + Object.values(answers).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
    }
    expect(outcome.beside.samples).toBeGreaterThan(0);
  },
);
