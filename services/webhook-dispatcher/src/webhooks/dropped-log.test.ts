import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { statementBatchMax } from "../attempts/limits.js";
import type { DroppedDelivery } from "./delivery-rows.js";
import { DroppedLog } from "./dropped-log.js";
import { deliveriesLoggedMax, droppedPauseMs } from "./limits.js";

const written: DroppedDelivery[][] = [];
let log: DroppedLog;

beforeEach(() => {
  vi.useFakeTimers();
  written.length = 0;
  log = new DroppedLog({
    rows: {
      drop: async (deliveries) => {
        written.push([...deliveries]);
      },
    },
    onWritten: () => undefined,
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const drop = (webhookId: string, count: number) =>
  Array.from({ length: count }, (_, n) =>
    log.add({ deliveryId: `${webhookId} ${n}`, webhookId, event: "message.created", body: "{}" }),
  );

describe("the log of dropped deliveries", () => {
  test("the log of dropped deliveries is written at once, and then with pauses, whatever is dropped meanwhile", async () => {
    const [first] = drop("a", 1);
    await first;
    const all = Promise.all(["a", "b", "c", "d", "e"].flatMap((webhookId) => drop(webhookId, deliveriesLoggedMax)));
    await vi.advanceTimersByTimeAsync(droppedPauseMs - 1);
    expect(written.map(({ length }) => length)).toEqual([1]);
    await vi.advanceTimersByTimeAsync(1);
    expect(written.map(({ length }) => length)).toEqual([1, statementBatchMax]);
    await vi.advanceTimersByTimeAsync(2 * droppedPauseMs);
    await all;
    expect(written.flat()).toHaveLength(1 + 5 * deliveriesLoggedMax);
  });

  test("the log of dropped deliveries gets the newest of each webhook, and none that it would not keep", async () => {
    await drop("a", 1)[0];
    const all = Promise.all(drop("a", deliveriesLoggedMax + 5));
    await vi.advanceTimersByTimeAsync(droppedPauseMs);
    await all;
    expect(written[1]?.map(({ deliveryId }) => deliveryId)).toEqual(
      Array.from({ length: deliveriesLoggedMax }, (_, n) => `a ${n + 5}`),
    );
  });
});
