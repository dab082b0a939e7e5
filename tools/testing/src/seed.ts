import { randomInt } from "node:crypto";

/** Draws the numbers of every run without another seed: `npm test` gives the same result every time. */
const fixedSeed = 20_260;

/** The seed of random numbers in tests: fixed, or the setting PARLEY_SEED, which `npm run test:long` chooses anew. */
export const seed = Number(process.env.PARLEY_SEED ?? fixedSeed);

/** How many steps a model takes that takes `whole` of them in `npm run test:long`; a tenth in `npm test`. */
export function modelSteps(whole: number): number {
  return process.env.PARLEY_SEED === undefined ? Math.ceil(whole / 10) : whole;
}

/** The seed of a run of `npm run test:long`: the setting PARLEY_SEED, which repeats an earlier run, or another one each time. */
export function freshSeed(): string {
  return process.env.PARLEY_SEED ?? String(randomInt(2 ** 31));
}
