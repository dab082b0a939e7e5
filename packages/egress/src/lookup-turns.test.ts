import { expect, test } from "vitest";
import { LookupTurns } from "./lookup-turns.js";

const limits = { atOnceMax: 8, perOwnerMax: 3 };

/** Turns whose look-ups end when the test says so. */
function stage() {
  const turns = new LookupTurns(limits);
  const running: { name: string; end: () => void }[] = [];
  const begun: string[] = [];
  const wait = (name: string, owner: string | null) =>
    turns.wait(owner, (endTurn) => {
      begun.push(name);
      const end = () => {
        running.splice(running.indexOf(one), 1);
        endTurn();
      };
      const one = { name, end };
      running.push(one);
    });
  return { wait, running, begun };
}

test("an owner whose look-ups hang has few under way, and another one's begins at once", () => {
  const { wait, begun } = stage();
  for (let n = 0; n < 100; n += 1) wait(`hang ${n}`, "hanging");
  expect(begun).toHaveLength(limits.perOwnerMax);
  wait("other", "other");
  expect(begun.at(-1)).toBe("other");
});

test("a free turn goes to the owner with the fewest under way, however many owners hang", () => {
  const { wait, running, begun } = stage();
  for (let n = 0; n < 5; n += 1) for (let owner = 0; owner < 4; owner += 1) wait(`${n}`, `hanging ${owner}`);
  expect(running).toHaveLength(limits.atOnceMax);
  wait("new", "new");
  expect(begun).not.toContain("new");
  running[0]?.end();
  expect(begun.at(-1)).toBe("new");
});

test("a look-up that waits for an owner with none left begins for another one that joins it", () => {
  const { wait, begun } = stage();
  for (let n = 0; n < limits.perOwnerMax; n += 1) wait("hang", "hanging");
  const shared = wait("shared", "hanging");
  expect(begun).not.toContain("shared");
  shared.join("other");
  expect(begun).toContain("shared");
  expect(shared.leave()).toBe(false);
});

test("a look-up that left does not begin", () => {
  const { wait, running, begun } = stage();
  for (let n = 0; n < limits.perOwnerMax; n += 1) wait("hang", "hanging");
  expect(wait("left", "hanging").leave()).toBe(true);
  running[0]?.end();
  expect(begun).not.toContain("left");
});
