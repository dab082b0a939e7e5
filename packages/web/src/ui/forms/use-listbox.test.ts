import { act } from "react";
import { expect, test, vi } from "vitest";
import { renderHook } from "../data/hook-fixture.js";
import { useListbox } from "./use-listbox.js";

/** A list as a completion has it, or, without `onClose`, one that stays. */
async function opened({ count, onClose }: { count: number; onClose?: () => void }) {
  const onPick = vi.fn();
  const closing = onClose === undefined ? {} : { onClose };
  const { result, render } = await renderHook(useListbox, { count, subject: "a", onPick, ...closing });
  return {
    onPick,
    result,
    press: (key: string) => act(async () => result().onKey(key)),
    type: (subject: string, count: number) => render({ count, subject, onPick, ...closing }),
    marked: () => result().marked,
  };
}

test("the arrows move the mark around both ends, and Enter picks the marked entry", async () => {
  const { press, marked, onPick } = await opened({ count: 3 });
  await press("ArrowUp");
  expect(marked()).toBe(2);
  await press("ArrowDown");
  await press("ArrowDown");
  expect(marked()).toBe(1);
  await press("Enter");
  expect(onPick.mock.calls).toEqual([[1]]);
});

test("another subject marks the first entry, and fewer entries leave the mark on the last one", async () => {
  const { press, type, marked } = await opened({ count: 4 });
  await press("ArrowUp");
  await type("a", 2);
  expect(marked()).toBe(1);
  await type("ab", 2);
  expect(marked()).toBe(0);
});

test("a list may begin without a mark: then Enter is of the field, and the arrows mark the first and the last entry", async () => {
  const onPick = vi.fn();
  const { result } = await renderHook(useListbox, { count: 3, subject: "a", first: -1, onPick });
  const press = (key: string) => act(async () => result().onKey(key));
  expect(result().field["aria-activedescendant"]).toBeUndefined();
  expect(await press("Enter")).toBe(false);
  await press("ArrowDown");
  expect(result().marked).toBe(0);
  await press("ArrowUp");
  expect(result().marked).toBe(2);
  await press("Enter");
  expect(onPick.mock.calls).toEqual([[2]]);
});

test("the field names the list and its marked entry while there are entries, and nothing otherwise", async () => {
  const { press, type, result } = await opened({ count: 2 });
  await press("ArrowDown");
  expect(result().field["aria-controls"]).toBe(result().list.id);
  expect(result().field["aria-activedescendant"]).toBe(result().option(1).id);
  expect([0, 1].map((index) => result().option(index)["aria-selected"])).toEqual([false, true]);
  await type("abc", 0);
  expect(result().list.hidden).toBe(true);
  expect(result().field["aria-controls"]).toBeUndefined();
  expect(result().field["aria-activedescendant"]).toBeUndefined();
});

test("a list that closes takes Tab and Escape", async () => {
  const onClose = vi.fn();
  const { press, onPick } = await opened({ count: 1, onClose });
  expect(await press("Tab")).toBe(true);
  expect(onPick).toHaveBeenCalledWith(0);
  expect(await press("Escape")).toBe(true);
  expect(onClose).toHaveBeenCalledOnce();
});

test("a list that stays leaves Tab and Escape to the dialog around it", async () => {
  const { press, onPick } = await opened({ count: 1 });
  expect(await press("Tab")).toBe(false);
  expect(await press("Escape")).toBe(false);
  expect(onPick).not.toHaveBeenCalled();
});

test("a list without entries takes no key", async () => {
  const { press, onPick } = await opened({ count: 0, onClose: () => undefined });
  for (const key of ["ArrowDown", "Enter", "Tab", "Escape"]) expect(await press(key), key).toBe(false);
  expect(onPick).not.toHaveBeenCalled();
});
