import { describe, expect, test } from "vitest";
import { WatchIndex } from "./watch-index.js";

describe("the watch index", () => {
  test("the watch index knows the watchers of an id, each once, and forgets ids that nobody watches", () => {
    const index = new WatchIndex<string>();
    for (const id of ["ann", "bob", "ann"]) index.watch("first", id);
    index.watch("second", "ann");
    expect([...index.watchersOf("ann")]).toEqual(["first", "second"]);
    expect([...index.watchersOf("eve")]).toEqual([]);
    expect([index.isWatching("second", "ann"), index.isWatching("second", "bob")]).toEqual([true, false]);
    index.forget("first");
    index.forget("never");
    expect([...index.watchersOf("ann")]).toEqual(["second"]);
    expect(index.size).toBe(1);
    index.forget("second");
    expect(index.size).toBe(0);
  });
});
