import { expect, onTestFinished, test, vi } from "vitest";
import { begun, message, ready } from "../app/sample-state.js";
import { onMessageCreate, onMessageDelete, onMessageUpdate } from "../conversations/message-events.js";
import { createAppStore, withRead } from "./app-store.js";
import { windowOf } from "./history.js";
import { onReady } from "./ready.js";

const empty = { hasOlder: false, hasNewer: false };

/** A store after READY, and a read of the channel's history whose answers come when they are given. */
function reading() {
  const store = createAppStore();
  store.setState(begun);
  const answers: ((numbers: number[]) => void)[] = [];
  const done = store.read(
    () => new Promise<number[]>((resolve) => answers.push(resolve)),
    (state, numbers, since) => {
      const page = numbers.map((number) => message(number)).toReversed();
      return withRead(state, "histories", "channel", windowOf(page, empty), since);
    },
  );
  const contents = () => store.getState().histories.channel?.messages.map(({ content }) => content);
  return { store, answers, done, contents };
}

test("events that came while an answer was under way are shown with it", async () => {
  const { store, answers, done, contents } = reading();
  store.apply((state) => onMessageCreate(state, message(3)));
  store.apply((state) => onMessageUpdate(state, message(2, { content: "edited" })));
  store.apply((state) => onMessageDelete(state, message(1)));
  answers[0]?.([1, 2]);
  await done;
  expect(contents()).toEqual(["edited", "text 3"]);
});

test("an event that the answer contains already changes nothing", async () => {
  const { store, answers, done, contents } = reading();
  store.apply((state) => onMessageCreate(state, message(2)));
  answers[0]?.([1, 2]);
  await done;
  expect(contents()).toEqual(["text 1", "text 2"]);
  expect(store.getState().unread.channel).toBe(4);
});

test("what a connection begins with makes the answers under way be asked for again, events before it included", async () => {
  const { store, answers, done, contents } = reading();
  store.apply((state) => onMessageCreate(state, message(2)));
  store.begin((state) => onReady(state, ready));
  answers[0]?.([1]);
  await expect.poll(() => answers.length).toBe(2);
  expect(contents()).toBeUndefined();
  store.apply((state) => onMessageCreate(state, message(4)));
  answers[1]?.([1, 2, 3]);
  await done;
  expect(contents()).toEqual(["text 1", "text 2", "text 3", "text 4"]);
  expect(store.getState().histories.channel?.isStale).toBe(false);
});

test("an answer about a channel that the user lost meanwhile is dropped", async () => {
  const { store, answers, done, contents } = reading();
  store.apply((state) => onReady(state, { ...ready, servers: [] }));
  store.apply((state) => ({ ...state, histories: {} }));
  answers[0]?.([1]);
  await done;
  expect(contents()).toBeUndefined();
});

test("a failed request rejects, and later events are applied once", async () => {
  const store = createAppStore();
  store.setState(begun);
  await expect(
    store.read(
      () => Promise.reject(new Error("offline")),
      (state) => state,
    ),
  ).rejects.toThrow("offline");
  store.apply((state) => onMessageCreate(state, message(4)));
  expect(store.getState().unread.channel).toBe(4);
});

test("a read waits for the first connection, so that it is made once, but not for ever", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const starting = () => {
    const store = createAppStore({ beginWaitMs: 500 });
    const request = vi.fn(async () => [1]);
    return { store, request, done: store.read(request, () => ({})) };
  };
  const connected = starting();
  await vi.advanceTimersByTimeAsync(499);
  expect(connected.request).not.toHaveBeenCalled();
  connected.store.begin((state) => onReady(state, ready));
  await connected.done;
  expect(connected.request).toHaveBeenCalledTimes(1);
  const alone = starting();
  await vi.advanceTimersByTimeAsync(500);
  await alone.done;
  expect(alone.request).toHaveBeenCalledTimes(1);
  // Later reads do not wait.
  const later = connected.store.read(connected.request, () => ({}));
  expect(connected.request).toHaveBeenCalledTimes(2);
  await later;
});

test("followers of the state are notified once of changes that are made together, also when the last one fails", () => {
  const store = createAppStore();
  const seen: [number, number][] = [];
  store.subscribe((state, before) => seen.push([before.readyCount, state.readyCount]));
  const count = () => store.setState(({ readyCount }) => ({ readyCount: readyCount + 1 }));
  count();
  expect(seen).toEqual([[0, 1]]);
  const fail = () => {
    count();
    expect(store.getState().readyCount).toBe(2);
    count();
    throw new Error("no more");
  };
  expect(() => store.together(fail)).toThrow("no more");
  expect(seen.slice(1)).toEqual([[1, 3]]);
  store.together(() => undefined);
  count();
  expect(seen.slice(2)).toEqual([[3, 4]]);
});
