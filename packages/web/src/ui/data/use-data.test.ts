import { act } from "react";
import { expect, test } from "vitest";
import { heldAnswer, renderHook } from "./hook-fixture.js";
import { useData } from "./use-data.js";

/** A server whose answers come when the test gives them, in any order; `read` is memoised as by a component. */
function server() {
  const answers: (ReturnType<typeof heldAnswer<string[]>> & { signal: AbortSignal })[] = [];
  const read = (signal: AbortSignal) => {
    const answer = { ...heldAnswer<string[]>(), signal };
    answers.push(answer);
    return answer.promise;
  };
  const last = () => {
    const answer = answers.at(-1);
    if (answer === undefined) throw new Error("Nothing was read.");
    return answer;
  };
  return { read, last };
}

test("an answer that a later read overtakes is dropped, and its request ended", async () => {
  const [first, second] = [server(), server()];
  const hook = await renderHook(({ read }) => useData(read), first);
  const late = first.last();
  await hook.render(second);
  expect(late.signal.aborted).toBe(true);
  await second.last().give(["new"]);
  await late.give(["old"]);
  expect(hook.result().value).toEqual(["new"]);
});

test("the failure of an overtaken read is not shown", async () => {
  const [first, second] = [server(), server()];
  const hook = await renderHook(({ read }) => useData(read), first);
  const late = first.last();
  await hook.render(second);
  await late.fail(new Error("aborted"));
  expect(hook.result()).toMatchObject({ value: null, error: null });
});

test("an unmounted component ends its request", async () => {
  const { read, last } = server();
  const hook = await renderHook(useData<string[]>, read);
  await hook.unmount();
  expect(last().signal.aborted).toBe(true);
});

test("a value stays while it is read again, and when that fails; the next one takes the error away", async () => {
  const { read, last } = server();
  const hook = await renderHook(useData<string[]>, read);
  await last().give(["a"]);
  await act(async () => void hook.result().reload());
  expect(hook.result().value).toEqual(["a"]);
  const failure = new Error("away");
  await last().fail(failure);
  expect(hook.result()).toMatchObject({ value: ["a"], error: failure });
  await act(async () => void hook.result().reload());
  await last().give(["b"]);
  expect(hook.result()).toMatchObject({ value: ["b"], error: null });
});

test("a change while something is read has it read anew, as the answer may be older", async () => {
  const { read, last } = server();
  const hook = await renderHook(useData<string[]>, read);
  await last().give(["a"]);
  await act(async () => void hook.result().reload());
  const older = last();
  await act(async () => hook.result().set((all) => [...all, "b"]));
  expect(hook.result().value).toEqual(["a", "b"]);
  await older.give(["a"]);
  expect(hook.result().value).toEqual(["a", "b"]);
  await last().give(["a", "b"]);
  expect(hook.result().value).toEqual(["a", "b"]);
});

test("a further page is added, and dropped when the first was read again meanwhile", async () => {
  const { read, last } = server();
  const hook = await renderHook(useData<string[]>, read);
  await last().give(["a"]);
  const more = async (page: Promise<string>) => {
    const added = await page;
    return (all: string[]) => [...all, added];
  };
  await act(async () => hook.result().extend(() => more(Promise.resolve("b"))));
  expect(hook.result().value).toEqual(["a", "b"]);
  const late = heldAnswer<string>();
  await act(async () => void hook.result().extend(() => more(late.promise)));
  await act(async () => void hook.result().reload());
  await last().give(["c"]);
  await late.give("d");
  expect(hook.result().value).toEqual(["c"]);
});
