import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createAppStore } from "../store/app-store.js";
import { createConnectedTime } from "./connected-time.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("the clock stands still before the first connection and while it is lost", () => {
  const store = createAppStore();
  const now = createConnectedTime(store);
  vi.advanceTimersByTime(100);
  expect(now()).toBe(0);
  store.setState({ connection: "connected" });
  vi.advanceTimersByTime(200);
  store.setState({ connection: "lost" });
  vi.advanceTimersByTime(5_000);
  expect(now()).toBe(200);
  store.setState({ connection: "connected" });
  vi.advanceTimersByTime(50);
  expect(now()).toBe(250);
});
