import { createClient, type EventHandler, type Gateway, type PositionStore } from "@parley/client";
import { createGate, readyFrame, startLoopbackGateway, waitUntil } from "@parley/testing";
import { afterEach, expect, test } from "vitest";

const closes: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closes.splice(0)) await close();
});

/** A server with `count` messages in two channels, which continues from the client's position. */
async function startServer(count: number, extra: object = {}) {
  const asked: string[] = [];
  const codes: number[] = [];
  const server = await startLoopbackGateway((socket, query) => {
    const from = query.get("s") ?? "";
    asked.push(from);
    socket.on("close", (code) => codes.push(code));
    const isNew = from === "" || "resync" in extra;
    socket.send(isNew ? readyFrame("0", extra) : resumed(from));
    for (let index = isNew ? 1 : Number(from) + 1; index <= count; index += 1) {
      const d = { id: String(index), channel_id: String(index % 2) };
      socket.send(JSON.stringify({ op: "DISPATCH", t: "MESSAGE_DELETE", s: String(index), d }));
    }
  });
  closes.push(server.close);
  const open = (): Gateway => {
    const client = createClient({ baseUrl: server.url, botToken: "bot" });
    const gateway = client.gateway({ backoff: { baseMs: 1, maxMs: 5 } });
    closes.unshift(() => gateway.close());
    return gateway;
  };
  return { asked, codes, open };
}

const resumed = (s: string) => JSON.stringify({ op: "DISPATCH", t: "RESUMED", s, d: { replayed: 0 } });

class MemoryStore implements PositionStore {
  position: string | null;
  constructor(position: string | null = null) {
    this.position = position;
  }
  read(): string | null {
    return this.position;
  }
  write(position: string): void {
    this.position = position;
  }
}

test("a handler that is slower than the events bounds those in memory, and gets all of them in order", async () => {
  const { asked, codes, open } = await startServer(500);
  const gateway = open();
  const gate = createGate();
  const byChannel: Record<string, number[]> = { 0: [], 1: [] };
  let received = 0;
  let handled = 0;
  let atOnce = 0;
  let mostAtOnce = 0;
  let mostWaiting = 0;
  gateway.onAny(() => {
    received += 1;
    mostWaiting = Math.max(mostWaiting, received - handled);
  });
  const handler: EventHandler = async ({ name, data }) => {
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    await gate.opened;
    if (name === "MESSAGE_DELETE") byChannel[data.channel_id]?.push(Number(data.id));
    atOnce -= 1;
    handled += 1;
  };
  const consuming = gateway.consume(handler, { concurrency: 2, backlogMax: 50 });
  await waitUntil(() => codes.length === 1);
  expect([received, handled]).toEqual([50, 0]);
  gate.open();
  await waitUntil(() => byChannel[0]?.length === 250 && byChannel[1]?.length === 250);
  gateway.close();
  await consuming;
  expect(byChannel[0]).toEqual(Array.from({ length: 250 }, (_, index) => 2 * index + 2));
  expect(byChannel[1]).toEqual(Array.from({ length: 250 }, (_, index) => 2 * index + 1));
  expect(mostAtOnce).toBe(2);
  expect(mostWaiting).toBeLessThanOrEqual(51);
  expect(asked.length).toBeGreaterThan(5);
  expect(codes.slice(0, 5)).toEqual([4002, 4002, 4002, 4002, 4002]);
});

test("an event whose handler fails comes again in the next run, or counts as handled with onError", async () => {
  const { open } = await startServer(4);
  const store = new MemoryStore();
  const heard: string[] = [];
  const handler: EventHandler = async ({ name, position }) => {
    heard.push(`${name} ${position}`);
    if (position === "2") throw new Error("two is too many");
  };
  await expect(open().consume(handler, { store, concurrency: 1 })).rejects.toThrow("two is too many");
  expect(store.position).toBe("1");
  const errors: unknown[] = [];
  const again = open();
  const onError = (error: unknown) => errors.push(String(error));
  const consuming = again.consume(handler, { store, concurrency: 1, onError });
  await waitUntil(() => store.position === "4");
  again.close();
  await consuming;
  expect(errors).toEqual(["Error: two is too many"]);
  expect(heard).toEqual([
    ...["READY 0", "MESSAGE_DELETE 1", "MESSAGE_DELETE 2"],
    ...["RESUMED 1", "MESSAGE_DELETE 2", "MESSAGE_DELETE 3", "MESSAGE_DELETE 4"],
  ]);
});

test("a READY with resync waits for earlier events, and later ones wait for its handler", async () => {
  const { open } = await startServer(3, { resync: "expired" });
  const store = new MemoryStore("9");
  const gateway = open();
  const steps: string[] = [];
  const gate = createGate();
  const consuming = gateway.consume(
    async ({ name, data }) => {
      if (name !== "READY") return void steps.push(name);
      steps.push(`missed: ${data.resync}`);
      await gate.opened;
      steps.push("read again");
    },
    { store, onError: () => undefined },
  );
  await waitUntil(() => gateway.position === "3");
  expect(steps).toEqual(["missed: expired"]);
  gate.open();
  await waitUntil(() => steps.length === 5);
  expect(steps.slice(1)).toEqual(["read again", ...Array(3).fill("MESSAGE_DELETE")]);
  gateway.close();
  await consuming;
});

test("an event that has given its turn up is overtaken, and does not keep the position", async () => {
  const { open } = await startServer(6);
  const store = new MemoryStore();
  const gateway = open();
  const gate = createGate();
  const heard: string[] = [];
  const consuming = gateway.consume(
    async ({ position }, turn) => {
      heard.push(String(position));
      if (position !== "1") return;
      turn.release();
      await gate.opened;
      heard.push("1 goes on");
    },
    { store, concurrency: 1 },
  );
  await waitUntil(() => store.position === "6");
  gate.open();
  await waitUntil(() => heard.includes("1 goes on"));
  expect(heard).toHaveLength(8);
  expect(heard.slice(0, 2)).toEqual(["0", "1"]);
  gateway.close();
  await consuming;
});
