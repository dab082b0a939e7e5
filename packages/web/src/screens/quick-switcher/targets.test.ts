import { describe, expect, test } from "vitest";
import { matchTargets, type Target } from "./targets.js";

const target = (name: string, weight = 0): Target => ({
  id: name,
  name,
  detail: null,
  kind: "channel",
  path: `/${name}`,
  weight,
});
const namesFor = (typed: string, targets: readonly Target[]) => matchTargets(targets, typed).map(({ name }) => name);

describe("the quick switcher", () => {
  test("the quick switcher puts the beginning of a name before a word in it, that before the middle of one, and scattered letters last", () => {
    const targets = ["undergeneral", "off-general", "general", "go-eat-now-every-rally", "other"].map((name) =>
      target(name),
    );
    expect(namesFor("gene", targets)).toEqual(["general", "off-general", "undergeneral", "go-eat-now-every-rally"]);
  });

  test("the quick switcher puts unread places before read ones, whatever the letters' case", () => {
    expect(namesFor("CHE", [target("chess"), target("cheese", 3)])).toEqual(["cheese", "chess"]);
  });

  test("the quick switcher shows twelve at most, the unread ones first, before anything is typed", () => {
    const targets = Array.from({ length: 30 }, (_, n) => target(`channel-${n}`, n));
    const shown = namesFor("", targets);
    expect(shown).toHaveLength(12);
    expect(shown[0]).toBe("channel-29");
  });
});
