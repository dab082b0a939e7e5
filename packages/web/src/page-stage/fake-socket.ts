import type { DispatchEvents } from "@parley/client";
import { findEvent } from "@parley/contracts";
import type { Protocol } from "./fake-server.js";
import { setSettled } from "./presence.js";

/** A connection of the page to the fake gateway. */
export interface FakeConnection {
  /** The query of the upgrade. */
  readonly query: URLSearchParams;
  /** Frames of the page, without heartbeats. */
  readonly received: readonly { op: string; d: unknown }[];
  /** The servers that VIEW_ACK says are passive; a test adds to them. */
  readonly passive: string[];
  /** Sends an event. */
  event<Name extends keyof DispatchEvents>(name: Name, payload: DispatchEvents[Name]): void;
  /** Ends the connection as a server does that restarts, unless a code says something else. */
  close(code?: number): void;
}

/** The presence that the gateway sends to subscribers of a user. */
export type PresenceOf = (userId: string) => DispatchEvents["PRESENCE_UPDATE"] | undefined;

/** Begins a new connection as a gateway: READY, RESUMED, or nothing yet. */
export type OnConnection = (connection: FakeConnection) => void;

interface Gateway {
  readonly protocol: Protocol;
  readonly onConnection: OnConnection;
  readonly presenceOf: PresenceOf;
  readonly opened: (connection: FakeConnection) => void;
  /** It takes no connections. */
  readonly isShut: boolean;
}

/** Events with a position from which a connection can continue. */
const isNumbered = (name: string) => name === "READY" || name === "RESUMED" || findEvent(name)?.kind === "durable";

let positions = 0;

/** The class that the page has as `WebSocket` for the address of the gateway. */
export function createFakeSocket(gateway: () => Gateway) {
  return class FakeSocket extends EventTarget {
    readyState: number = WebSocket.CONNECTING;
    readonly #received: { op: string; d: unknown }[] = [];
    readonly #passive: string[] = [];

    constructor(readonly url: string) {
      super();
      const { protocol, onConnection, presenceOf, opened, isShut } = gateway();
      this.#presenceOf = presenceOf;
      const send = (frame: object) => {
        const text = JSON.stringify(frame);
        protocol.frames.push(text);
        if (this.readyState === WebSocket.OPEN) this.dispatchEvent(new MessageEvent("message", { data: text }));
      };
      this.#answer = send;
      const connection: FakeConnection = {
        query: new URL(url).searchParams,
        received: this.#received,
        passive: this.#passive,
        event(name, d) {
          setSettled(false);
          const s = isNumbered(name) ? { s: `p${++positions}` } : {};
          send({ op: "DISPATCH", t: name, ...s, d });
        },
        close: (code = 1006) => this.#end(code, ""),
      };
      queueMicrotask(() => {
        if (this.readyState !== WebSocket.CONNECTING) return;
        if (isShut) return this.#end(1006, "");
        this.readyState = WebSocket.OPEN;
        this.dispatchEvent(new Event("open"));
        opened(connection);
        onConnection(connection);
      });
    }

    readonly #answer: (frame: object) => void;
    readonly #presenceOf: PresenceOf;

    send(data: string): void {
      const frame: { op: string; d: unknown } = JSON.parse(data);
      if (frame.op === "HEARTBEAT") this.#answer({ op: "HEARTBEAT_ACK", t: null, d: null });
      else this.#received.push(frame);
      if (frame.op === "PRESENCE_SUBSCRIBE") {
        const { user_ids }: { user_ids: string[] } = JSON.parse(JSON.stringify(frame.d));
        // Users without an answer count as offline after a moment.
        for (const d of user_ids.flatMap((id) => this.#presenceOf(id) ?? []))
          if (d.status !== "offline") queueMicrotask(() => this.#answer({ op: "DISPATCH", t: "PRESENCE_UPDATE", d }));
      }
      if (frame.op !== "VIEW") return;
      const { channel_ids }: { channel_ids: string[] } = JSON.parse(JSON.stringify(frame.d));
      queueMicrotask(() => this.#answer({ op: "DISPATCH", t: "VIEW_ACK", d: { channel_ids, passive: this.#passive } }));
    }

    close(code = 1005, reason = ""): void {
      this.#end(code, reason);
    }

    #end(code: number, reason: string): void {
      if (this.readyState === WebSocket.CLOSED) return;
      this.readyState = WebSocket.CLOSED;
      queueMicrotask(() => this.dispatchEvent(new CloseEvent("close", { code, reason, wasClean: code !== 1006 })));
    }
  };
}
