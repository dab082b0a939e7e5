import { expect, test, vi } from "vitest";
import { type ConsumeOptions, Consumer, type Turn } from "./consume.js";
import type { GatewayEvent } from "./gateway-options.js";

const inChannel = (position: string, channel_id: string): GatewayEvent => ({
  name: "MESSAGE_DELETE",
  data: { id: position, channel_id },
  position,
});

/** A consumer whose handlers end when the test says so. */
function consumer(options: ConsumeOptions = {}) {
  const begun: string[] = [];
  const running = new Map<string, { resolve: () => void; reject: (error: Error) => void; turn: Turn }>();
  const onFailure = vi.fn();
  const handler = ({ position }: GatewayEvent, turn: Turn) => {
    begun.push(position ?? "");
    return new Promise<void>((resolve, reject) => running.set(position ?? "", { resolve, reject, turn }));
  };
  const held = (position: string) => {
    const found = running.get(position);
    if (found === undefined) throw new Error(`${position} has not begun.`);
    return found;
  };
  return {
    begun,
    onFailure,
    of: new Consumer(handler, options, onFailure),
    ends: (position: string) => held(position).resolve(),
    fails: (position: string, error: Error) => held(position).reject(error),
    releases: (position: string) => held(position).turn.release(),
  };
}

/** A store that keeps every written position. */
function store() {
  const written: string[] = [];
  return { written, read: () => null, write: (position: string) => void written.push(position) };
}

test("events of a channel are handled one after another, those of several channels as many at a time as wanted", async () => {
  const { of, begun, ends } = consumer({ concurrency: 2 });
  for (const [position, channel] of [
    ["1", "a"],
    ["2", "a"],
    ["3", "b"],
    ["4", "c"],
  ] as const) {
    of.push(inChannel(position, channel));
  }
  expect(begun).toEqual(["1", "3"]);
  ends("3");
  await vi.waitFor(() => expect(begun).toEqual(["1", "3", "4"]));
  ends("1");
  await vi.waitFor(() => expect(begun).toEqual(["1", "3", "4", "2"]));
});

test("a handler that releases its turn lets the next event of the channel begin", async () => {
  const { of, begun, releases, ends } = consumer();
  of.push(inChannel("1", "a"));
  of.push(inChannel("2", "a"));
  expect(begun).toEqual(["1"]);
  releases("1");
  expect(begun).toEqual(["1", "2"]);
  ends("1");
  ends("2");
});

test("the stored position has no event before it that is still handled", async () => {
  const kept = store();
  const { of, ends } = consumer({ store: kept });
  for (const position of ["1", "2", "3"]) of.push(inChannel(position, position));
  ends("2");
  ends("3");
  ends("1");
  await vi.waitFor(() => expect(kept.written).toEqual(["3"]));
});

test("an error of a handler ends it before that event's position, unless onError takes it", async () => {
  const kept = store();
  const ending = consumer({ store: kept });
  ending.of.push(inChannel("1", "a"));
  ending.of.push(inChannel("2", "a"));
  ending.fails("1", new Error("broken"));
  await vi.waitFor(() => expect(ending.onFailure).toHaveBeenCalledOnce());
  ending.of.end(null);
  await expect(ending.of.finished).rejects.toThrow("broken");
  expect(ending.begun).toEqual(["1"]);
  expect(kept.written).toEqual([]);

  const onError = vi.fn();
  const going = consumer({ store: kept, onError });
  going.of.push(inChannel("1", "a"));
  going.of.push(inChannel("2", "a"));
  going.fails("1", new Error("broken"));
  await vi.waitFor(() => expect(going.begun).toEqual(["1", "2"]));
  expect(onError).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(kept.written).toEqual(["1"]));
  going.ends("2");
});

test("it ends when the handlers of the moment are done, and begins no other", async () => {
  const { of, begun, ends } = consumer();
  of.push(inChannel("1", "a"));
  of.push(inChannel("2", "a"));
  of.end(null);
  const finished = vi.fn();
  void of.finished.then(finished);
  expect(of.push(inChannel("3", "b"))).toBeNull();
  expect(finished).not.toHaveBeenCalled();
  ends("1");
  await of.finished;
  expect(begun).toEqual(["1"]);
});

test("with a full backlog it says when half of it is handled", async () => {
  const kept = store();
  const { of, ends } = consumer({ backlogMax: 4, store: kept });
  const rooms = ["1", "2", "3", "4"].map((position) => of.push(inChannel(position, position)));
  expect(rooms.slice(0, 3)).toEqual([null, null, null]);
  const hasRoom = vi.fn();
  void rooms[3]?.then(hasRoom);
  ends("1");
  await vi.waitFor(() => expect(kept.written).toEqual(["1"]));
  expect(hasRoom).not.toHaveBeenCalled();
  ends("2");
  await vi.waitFor(() => expect(hasRoom).toHaveBeenCalledOnce());
  ends("3");
  ends("4");
});
