import { text } from "node:stream/consumers";
import { type EventName, type EventPayload, events, Ready } from "@parley/contracts";
import { WebSocket } from "ws";
import { checkFrame } from "./frame-check.js";
import { gatewaySockets } from "./gateway-sockets.js";
import { waitTimeoutMs } from "./limits.js";

/** A DISPATCH frame as it arrived. */
export interface ReceivedEvent {
  readonly name: string;
  readonly payload: unknown;
}

/** A test's WebSocket connection to a gateway. */
export interface GatewayClient {
  /** The payload of READY; rejects when the upgrade is refused or the connection ends before. */
  readonly ready: Promise<Ready>;
  /** Every event after READY, oldest first. */
  readonly events: readonly ReceivedEvent[];
  /** Every text frame as it arrived, READY and acks included. */
  readonly frames: readonly string[];
  /** Sends an envelope; waits for the connection to open when it has not yet. */
  readonly send: (op: string, d?: unknown) => void;
  /** Sends text or bytes as they are. */
  readonly sendRaw: (data: string | Buffer) => void;
  /** Sends HEARTBEAT and resolves at its ack: everything the gateway wrote to this connection before has arrived. */
  readonly heartbeat: () => Promise<void>;
  /**
   * Resolves with the payload of the first event of that name, received already or yet to come, that fulfils the
   * predicate. Events before position `since` (see `mark`) are passed over. Rejects after `timeoutMs`, when the
   * connection ends, and when a payload does not have the shape of docs/protocol/events.md#14.5.
   */
  readonly waitFor: <Name extends EventName>(
    name: Name,
    predicate?: (payload: EventPayload<Name>) => boolean,
    options?: { timeoutMs?: number; since?: number },
  ) => Promise<EventPayload<Name>>;
  /** How many events have arrived: give it to `waitFor` to hear only of later ones. */
  readonly mark: () => number;
  /**
   * Fails if an event of that name that fulfils the predicate has arrived once `barrier` has passed. The barrier must
   * prove that the event would have arrived by then: wait for a later event of the same server; the default, a
   * heartbeat, proves it only for frames that this gateway has already written.
   */
  readonly expectNone: <Name extends EventName>(
    name: Name,
    predicate?: (payload: EventPayload<Name>) => boolean,
    barrier?: () => Promise<unknown>,
  ) => Promise<void>;
  /** How the connection ended; never rejects. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  /** The HTTP answer to a refused upgrade; stays pending when the upgrade succeeds. */
  readonly rejected: Promise<{ readonly status: number; readonly body: string }>;
  /** Closes the connection in order, with 1000 unless given, null for no code; resolves when it is closed. */
  readonly close: (code?: number | null) => Promise<void>;
  /** Drops the connection without a closing handshake. */
  readonly terminate: () => void;
}

/**
 * Connects to `/ws` of a gateway or an edge (http or ws URL) with a user's or bot's token; `query` replaces the token
 * and `path` the path for tests of the upgrade itself. Every frame is checked against the description of the gateway,
 * or given to `onFrame` instead.
 */
export function connectGateway(
  url: string,
  token: string,
  {
    path = "/ws",
    query = `token=${encodeURIComponent(token)}`,
    onFrame = checkFrame,
    headers = {},
  }: { path?: string; query?: string; onFrame?: (frame: string) => void; headers?: Record<string, string> } = {},
): GatewayClient {
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}${path}?${query}`, { perMessageDeflate: false, headers });
  gatewaySockets.publish(socket);
  const received: ReceivedEvent[] = [];
  const frames: string[] = [];
  const wakers = new Set<() => void>();
  const acks: (() => void)[] = [];
  /** Events whose payloads have their shape: each is checked once, although each waiter looks at all of them. */
  const checked = new WeakMap<ReceivedEvent, unknown>();
  let ended: string | null = null;
  const ready = deferred<Ready>();
  const closed = deferred<{ code: number; reason: string }>();
  const rejected = deferred<{ status: number; body: string }>();
  // READY may fail without failing a test that does not look at it.
  ready.promise.catch(() => undefined);

  const wake = () => {
    for (const waker of [...wakers]) waker();
  };
  const end = (why: string) => {
    ended ??= why;
    ready.reject(new Error(`The gateway connection ended before READY: ${ended}.`));
    wake();
  };

  socket.on("message", (data) => {
    const frame = String(data);
    frames.push(frame);
    onFrame(frame);
    const { op, t, d } = readEnvelope(frame);
    if (op === "HEARTBEAT_ACK") acks.shift()?.();
    if (op !== "DISPATCH" || t === null) return;
    if (t === "READY") ready.resolve(conform(Ready, d, "READY"));
    else received.push({ name: t, payload: d });
    wake();
  });
  socket.on("error", (error) => end(error.message));
  socket.on("close", (code, reason) => {
    end(`closed with ${code}`);
    closed.resolve({ code, reason: String(reason) });
  });
  socket.on("unexpected-response", (request, response) => {
    const status = response.statusCode ?? 0;
    end(`the upgrade was answered ${status}`);
    void text(response).then((body) => {
      rejected.resolve({ status, body });
      request.destroy();
    });
  });

  const find = <Name extends EventName>(
    name: Name,
    predicate: (payload: EventPayload<Name>) => boolean,
    since: number,
  ): { payload: EventPayload<Name> } | undefined => {
    for (const event of received.slice(since)) {
      if (event.name !== name) continue;
      if (!checked.has(event)) checked.set(event, conform(events[name].payload, event.payload, name));
      const payload = checked.get(event) as EventPayload<Name>;
      if (predicate(payload)) return { payload };
    }
    return undefined;
  };

  const waitFor: GatewayClient["waitFor"] = (
    name,
    predicate = () => true,
    { timeoutMs = waitTimeoutMs, since = 0 } = {},
  ) =>
    new Promise((resolve, reject) => {
      const settle = (outcome: () => void) => {
        clearTimeout(timer);
        wakers.delete(look);
        outcome();
      };
      const fail = (why: string) =>
        settle(() => reject(new Error(`No matching ${name}: ${why}; got ${summary(received, since)}.`)));
      const timer = setTimeout(() => fail(`waited ${timeoutMs} ms`), timeoutMs);
      const look = () => {
        try {
          const found = find(name, predicate, since);
          if (found !== undefined) settle(() => resolve(found.payload));
          else if (ended !== null) fail(ended);
        } catch (error) {
          settle(() => reject(error));
        }
      };
      wakers.add(look);
      look();
    });

  const sendRaw: GatewayClient["sendRaw"] = (data) => {
    if (socket.readyState === WebSocket.CONNECTING) socket.once("open", () => socket.send(data));
    else socket.send(data);
  };
  const send: GatewayClient["send"] = (op, d = null) => sendRaw(JSON.stringify({ op, t: null, d }));
  const heartbeat = () =>
    new Promise<void>((resolve, reject) => {
      if (ended !== null) reject(new Error(`No HEARTBEAT_ACK: ${ended}.`));
      acks.push(resolve);
      void closed.promise.then(({ code }) => reject(new Error(`No HEARTBEAT_ACK: closed with ${code}.`)));
      send("HEARTBEAT");
    });

  return {
    ready: ready.promise,
    events: received,
    frames,
    send,
    sendRaw,
    heartbeat,
    waitFor,
    mark: () => received.length,
    expectNone: async (name, predicate = () => true, barrier = heartbeat) => {
      await barrier();
      const found = find(name, predicate, 0);
      if (found !== undefined) throw new Error(`Unexpected ${name}: ${JSON.stringify(found.payload)}`);
    },
    closed: closed.promise,
    rejected: rejected.promise,
    close: async (code = 1000) => {
      socket.close(code ?? undefined);
      await closed.promise;
    },
    terminate: () => socket.terminate(),
  };
}

function deferred<Value>() {
  let resolve: (value: Value) => void = () => undefined;
  let reject: (reason: Error) => void = () => undefined;
  const promise = new Promise<Value>((onValue, onReason) => {
    resolve = onValue;
    reject = onReason;
  });
  return { promise, resolve, reject };
}

function readEnvelope(frame: string): { op: unknown; t: string | null; d: unknown } {
  const envelope: unknown = JSON.parse(frame);
  if (typeof envelope !== "object" || envelope === null || !("op" in envelope))
    throw new Error(`No envelope: ${frame}`);
  const t = "t" in envelope && typeof envelope.t === "string" ? envelope.t : null;
  return { op: envelope.op, t, d: "d" in envelope ? envelope.d : null };
}

interface Shape {
  safeParse(value: unknown): { success: boolean; error?: Error | undefined };
}

/** Returns the value untouched, so that a test can also see fields that the shape does not know. */
function conform<Value>(shape: Shape, value: unknown, name: string): Value {
  if (hasShape<Value>(shape, value)) return value;
  throw new Error(`The payload of ${name} breaks the contract: ${JSON.stringify(value)}`, {
    cause: shape.safeParse(value).error,
  });
}

function hasShape<Value>(shape: Shape, value: unknown): value is Value {
  return shape.safeParse(value).success;
}

function summary(received: readonly ReceivedEvent[], since: number): string {
  const names = received.slice(since).map(({ name }) => name);
  return names.length === 0 ? "no events" : names.join(", ");
}
