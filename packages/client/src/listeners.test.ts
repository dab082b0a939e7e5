import { expect, test, vi } from "vitest";
import { Listeners } from "./listeners.js";

const listeners = (report: (error: unknown, name: string) => boolean = () => true) =>
  new Listeners<{ said: string; left: number }, null, { name: string }>(report);

test("listeners are called in the order in which they were added, one that is added twice once and last", () => {
  const heard: string[] = [];
  const all = listeners();
  const first = () => heard.push("first");
  all.on("said", first);
  all.on("said", () => heard.push("second"));
  all.on("said", first);
  all.emit("said", "hello", null);
  expect(heard).toEqual(["second", "first"]);
  expect(all.count("said")).toBe(2);
});

test("a listener for once is called once, and one that is removed no more", () => {
  const all = listeners();
  const [once, removed, stays] = [vi.fn(), vi.fn(), vi.fn()];
  all.once("said", once);
  const remove = all.on("said", removed);
  all.on("said", stays);
  all.emit("said", "one", null);
  remove();
  all.emit("said", "two", null);
  expect([once, removed, stays].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 2]);
  expect(once).toHaveBeenCalledWith("one", null);
});

test("a listener that another one removes or adds during an event still hears it, or does not yet", () => {
  const all = listeners();
  const [removed, added] = [vi.fn(), vi.fn()];
  all.on("left", () => {
    all.off("left", removed);
    all.on("left", added);
  });
  all.on("left", removed);
  all.emit("left", 1, null);
  expect(removed).toHaveBeenCalledOnce();
  expect(added).not.toHaveBeenCalled();
  all.emit("left", 2, null);
  expect(removed).toHaveBeenCalledOnce();
  expect(added).toHaveBeenCalledOnce();
});

test("listeners of any event hear all of them, until they are removed", () => {
  const all = listeners();
  const any = vi.fn();
  const remove = all.onAny(any);
  all.emitAny({ name: "said" });
  remove();
  all.emitAny({ name: "left" });
  expect(any.mock.calls).toEqual([[{ name: "said" }]]);
});

test("the error of a listener is reported with its event, and the others are called all the same", async () => {
  const report = vi.fn(() => true);
  const all = listeners(report);
  const other = vi.fn();
  const [thrown, rejected] = [new Error("thrown"), new Error("rejected")];
  all.on("said", () => {
    throw thrown;
  });
  all.on("said", () => Promise.reject(rejected));
  all.on("said", other);
  all.emit("said", "hello", null);
  expect(other).toHaveBeenCalledOnce();
  await vi.waitFor(() =>
    expect(report.mock.calls).toEqual([
      [thrown, "said"],
      [rejected, "said"],
    ]),
  );
});
