import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LeftOut } from "./left-out.js";

const names = ["one", "two", "three"];
const channels = ["general", "other"];
const step = fc.oneof(
  fc.record({ kind: fc.constant("event" as const), channel: fc.constantFrom(...channels), got: fc.subarray(names) }),
  fc.record({
    kind: fc.constant("know" as const),
    channel: fc.constantFrom(...channels),
    name: fc.constantFrom(...names),
  }),
  fc.record({ kind: fc.constant("sent" as const), name: fc.constantFrom(...names) }),
);

describe("what was left out", () => {
  test("is missing for a connection exactly while it lacks an event of the channel, however rounds are put together", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.nat({ max: 30 }), (steps, cut) => {
        const connections = new Map(names.map((name) => [name, { name }]));
        const of = (name: string) => connections.get(name) ?? { name };
        const lacking = new Set<string>();
        const [early, late] = [new LeftOut<{ name: string }>(), new LeftOut<{ name: string }>()];
        for (const [index, one] of steps.entries()) {
          const isEarly = index < cut;
          if (one.kind === "event") {
            (isEarly ? early : late).add(one.channel, one.got.map(of));
            for (const name of names) if (!one.got.includes(name)) lacking.add(`${name} ${one.channel}`);
          } else if (one.kind === "know") {
            for (const round of [early, late]) round.know(of(one.name), one.channel);
            lacking.delete(`${one.name} ${one.channel}`);
          } else if (isEarly) {
            for (const channel of channels) {
              early.know(of(one.name), channel);
              lacking.delete(`${one.name} ${channel}`);
            }
          }
        }
        const missing = (round: LeftOut<{ name: string }>) =>
          names.flatMap((name) =>
            channels.filter((channel) => round.isMissing(of(name), channel)).map((channel) => `${name} ${channel}`),
          );
        const inEither = new Set([...missing(early), ...missing(late)]);
        expect([...inEither].sort()).toEqual([...lacking].sort());
        early.absorb(late);
        expect(missing(early)).toEqual(
          names.flatMap((name) => channels.map((channel) => `${name} ${channel}`)).filter((one) => lacking.has(one)),
        );
      }),
    );
  });

  test("is not missing for a connection that got every sum, or began behind it, until another event is omitted", () => {
    const [told, begun, other] = [{}, {}, {}];
    const leftOut = new LeftOut<object>();
    leftOut.add("general", []);
    leftOut.markSent(told);
    leftOut.begin(begun);
    expect([told, begun, other].map((one) => leftOut.isMissing(one, "general"))).toEqual([false, false, true]);
    leftOut.add("general", []);
    expect([begun, other].map((one) => leftOut.isMissing(one, "general"))).toEqual([true, true]);
    expect(leftOut.isMissing(other, "elsewhere")).toBe(false);
  });
});
