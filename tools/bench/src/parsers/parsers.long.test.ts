import { afterAll, beforeAll, expect, test } from "vitest";
import { type Hold, inputsOf, measureHold } from "./parsers.js";
import { type ParserWorld, startParserWorld } from "./world.js";

/** Fifty times the goal, since other processes run beside; an input that is quadratic takes longer all the same. */
const heldMsMax = 1_000;

let world: ParserWorld;
beforeAll(async () => {
  world = await startParserWorld();
});
afterAll(() => world?.stop());

test("no parser of what strangers send holds the event loop, with inputs made to be slow", {
  timeout: 300_000,
}, async () => {
  const holds: Hold[] = [];
  for (const input of inputsOf(world)) holds.push(await measureHold(world, input, { times: 3, enoughMs: heldMsMax }));
  const described = holds.map(({ input: { parser, input }, answer, heldMs }) => ({ parser, input, answer, heldMs }));
  expect(described.filter(({ heldMs }) => heldMs > heldMsMax)).toEqual([]);
  // Only bodies in tiny chunks have no answer: their connections are closed.
  const closed = described
    .filter(({ answer }) => answer === "closed")
    .map(({ parser, input }) => `${parser}: ${input}`);
  expect(closed).toEqual(["multipart: chunks of one byte", "JSON of a request: chunks of one byte"]);
});
