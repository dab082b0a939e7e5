import { expect, test } from "vitest";
import { ParleyError } from "./error.js";
import type { EventContext, GatewayEvent, GatewayEvents } from "./gateway-options.js";
import { Listeners } from "./listeners.js";
import { collectEvents, nextEvent, untilConnected } from "./wait.js";

const none: EventContext = { position: null };

/** A gateway's listeners, and functions that make its events come. */
function gateway() {
  const listeners = new Listeners<GatewayEvents, EventContext, GatewayEvent>(() => false);
  return {
    listeners,
    leaves: (user_id: string) => listeners.emit("MEMBER_LEAVE", { server_id: "s", user_id, reason: "left" }, none),
    closes: (error: ParleyError | null) => listeners.emit("close", error, none),
    count: () => listeners.count("MEMBER_LEAVE") + listeners.count("close"),
  };
}

const usersOf = (events: readonly { user_id: string }[]) => events.map(({ user_id }) => user_id);

test("collects the events that fit until there are enough, and leaves no listener", async () => {
  const { listeners, leaves, count } = gateway();
  const collected = collectEvents(listeners, "MEMBER_LEAVE", { max: 2, filter: ({ user_id }) => user_id !== "ben" });
  for (const user of ["ada", "ben", "cleo", "dan"]) leaves(user);
  expect(usersOf(await collected)).toEqual(["ada", "cleo"]);
  expect(count()).toBe(0);
});

test("collects the events until the time limit", async () => {
  const { listeners, leaves, count } = gateway();
  const collected = collectEvents(listeners, "MEMBER_LEAVE", { timeoutMs: 20 });
  leaves("ada");
  expect(usersOf(await collected)).toEqual(["ada"]);
  expect(count()).toBe(0);
});

test("a wait for one event ends with an error when none came in time", async () => {
  const { listeners, leaves } = gateway();
  const next = nextEvent(listeners, "MEMBER_LEAVE", { timeoutMs: 20, filter: ({ user_id }) => user_id === "ben" });
  leaves("ada");
  await expect(next).rejects.toMatchObject({ code: "deadline_passed", text: "No MEMBER_LEAVE came within 20 ms" });
});

test("the signal, the end of the gateway and a filter that throws end a wait, each with its reason", async () => {
  const { listeners, leaves, closes, count } = gateway();
  const stop = new AbortController();
  const wait = (options: Parameters<typeof nextEvent<"MEMBER_LEAVE">>[2]) =>
    nextEvent(listeners, "MEMBER_LEAVE", options);
  const aborted = wait({ signal: stop.signal });
  stop.abort(new Error("enough"));
  await expect(aborted).rejects.toThrow("enough");
  await expect(wait({ signal: stop.signal })).rejects.toThrow("enough");
  const failed = wait({
    filter: () => {
      throw new Error("no filter");
    },
  });
  leaves("ada");
  await expect(failed).rejects.toThrow("no filter");
  const closed = wait({});
  closes(null);
  await expect(closed).rejects.toMatchObject({ code: "gateway_closed" });
  const refused = wait({});
  closes(new ParleyError({ status: 401, code: "unknown", text: "no access" }));
  await expect(refused).rejects.toMatchObject({ status: 401 });
  expect(count()).toBe(0);
});

test("a connection that is continued begins without READY, and one that is closed ends with the caller's reason", async () => {
  const { listeners, closes, count } = gateway();
  const continued = untilConnected(listeners, () => new Error("closed"));
  listeners.emit("RESUMED", { replayed: 0, presence: "current" }, none);
  expect(await continued).toBeNull();
  const ended = untilConnected(listeners, (error) => new Error(error === null ? "by close" : error.text));
  closes(null);
  await expect(ended).rejects.toThrow("by close");
  expect(count()).toBe(0);
});
