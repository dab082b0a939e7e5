import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { begun, me } from "../app/sample-state.js";
import { onUserUpdate } from "../community/user-events.js";
import { createAppStore } from "../store/app-store.js";
import { createAbsence, idleMsMax } from "./automatic-away.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A tab of the user, and the other tabs of its browser as far as it hears them. */
function tabOf() {
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  const window = new EventTarget();
  vi.stubGlobal("document", page);
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
  vi.stubGlobal("removeEventListener", window.removeEventListener.bind(window));
  const others = { said: [] as string[], say: (_data: string): void => undefined };
  vi.stubGlobal(
    "BroadcastChannel",
    class {
      onmessage: (event: { data: string }) => void = () => undefined;
      constructor() {
        others.say = (data) => this.onmessage({ data });
      }
      postMessage = (data: string) => void others.said.push(data);
      close = () => undefined;
    },
  );
  const sent: string[] = [];
  const store = createAppStore();
  store.apply(() => ({ ...begun, connection: "connected" }));
  const absence = createAbsence(store, (status) => void sent.push(status));
  absence.follow();
  return {
    sent,
    others,
    input: () => window.dispatchEvent(new Event("keydown")),
    look(state: "visible" | "hidden") {
      page.visibilityState = state;
      page.dispatchEvent(new Event("visibilitychange"));
    },
    choose(status: "online" | "dnd") {
      store.apply((state) => onUserUpdate(state, { ...me, status }));
      absence.chosen();
    },
  };
}

test("a user without input is away after five minutes, and online again with the next one", () => {
  const tab = tabOf();
  vi.advanceTimersByTime(idleMsMax - 1);
  tab.input();
  vi.advanceTimersByTime(idleMsMax - 1);
  expect(tab.sent).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(tab.sent).toEqual(["away"]);
  tab.input();
  expect(tab.sent).toEqual(["away", "online"]);
});

test("a user whose tabs are all hidden is away, and one who looks at another tab is not", () => {
  const tab = tabOf();
  tab.look("hidden");
  expect(tab.others.said).toContain("anybody");
  tab.others.say("here");
  vi.advanceTimersByTime(10_000);
  expect(tab.sent).toEqual([]);
  tab.look("visible");
  tab.look("hidden");
  vi.advanceTimersByTime(10_000);
  expect(tab.sent).toEqual(["away"]);
  tab.look("visible");
  expect(tab.sent).toEqual(["away", "online"]);
});

test("a status that was chosen stays, before and meanwhile", () => {
  const tab = tabOf();
  tab.choose("dnd");
  vi.advanceTimersByTime(idleMsMax);
  expect(tab.sent).toEqual([]);
  tab.choose("online");
  tab.input();
  vi.advanceTimersByTime(idleMsMax);
  expect(tab.sent).toEqual(["away"]);
  tab.choose("dnd");
  tab.input();
  expect(tab.sent).toEqual(["away"]);
});

test("the tab that the user comes back to makes them online, whichever tab made them away", () => {
  const tab = tabOf();
  tab.others.say("away");
  tab.input();
  expect(tab.sent).toEqual(["online"]);
});
