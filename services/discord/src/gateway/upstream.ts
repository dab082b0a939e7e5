import type { Ready } from "@parley/contracts";
import { WebSocket } from "ws";
import {
  upstreamFrameBytesMax,
  upstreamHandshakeMs,
  upstreamHeartbeatMs,
  upstreamPatienceMs,
  upstreamPauseMs,
} from "./limits.js";

/** A DISPATCH of our gateway. */
export interface UpstreamFrame {
  readonly t: string;
  readonly d: unknown;
  /** Null for an event that is not durable (docs/protocol/continuing.md#19.1). */
  readonly s: string | null;
  readonly text: string;
}

/** Where gateways are: each attempt takes the next one. */
export interface GatewayAddresses {
  next(): string;
}

export function createGatewayAddresses(urls: readonly string[]): GatewayAddresses {
  let turn = Math.floor(Math.random() * urls.length);
  return { next: () => (urls[turn++ % urls.length] ?? "").replace(/^http/, "ws").replace(/\/$/, "") };
}

/** The parts of READY that sessions need: it has megabytes for a bot of many servers, which wait until all of them are sent. */
export interface ReadyPart {
  readonly user: Ready["user"];
  readonly serverIds: readonly string[];
}
const readyPart = ({ user, servers }: Ready): ReadyPart => ({ user, serverIds: servers.map(({ id }) => id) });

/**
 * The text of READY without the roles and overrides of its servers, which are most of it and its last keys: parsed, they
 * would take tens of megabytes. Inside a text of JSON the quotes of this key would be escaped.
 */
function withoutRoles(text: string): string {
  if (!text.startsWith('{"op":"DISPATCH","t":"READY"')) return text;
  const [roles, number] = [text.indexOf(',"server_roles":{'), text.lastIndexOf(',"s":')];
  return roles < 0 || number < roles ? text : `${text.slice(0, roles)}}${text.slice(number)}`;
}

/** A numbered connection to our gateways, by the door of all bots. It outlives the death of the gateway that it is on. */
export class Upstream {
  #socket: WebSocket | null = null;
  #cursor: string;
  #isEnded = false;
  #isPaused = false;
  #failingSince: number | null = null;
  #pauseMs: number = upstreamPauseMs.first;
  #timer: NodeJS.Timeout | undefined;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(
    private readonly options: {
      readonly addresses: GatewayAddresses;
      readonly token: string;
      readonly wantsPresences: boolean;
      /** Those that it gets; all if there are none. */
      readonly events: readonly string[];
      /** Empty for a new connection. */
      readonly cursor: string;
      readonly onFrame: (frame: UpstreamFrame) => void;
      /** Once: the token is not valid any more, or no gateway can be reached. */
      readonly onEnd: (why: "revoked" | "unreachable") => void;
    },
  ) {
    this.#cursor = options.cursor;
    this.#heartbeat = setInterval(() => this.#sendHeartbeat(), upstreamHeartbeatMs);
    this.#connect();
  }

  /** Reads nothing more, or reads on. */
  setPaused(isPaused: boolean): void {
    if (this.#isPaused === isPaused) return;
    this.#isPaused = isPaused;
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    if (isPaused) this.#socket.pause();
    else this.#socket.resume();
  }

  /** @param isFinal nobody continues: the bot goes offline at once; otherwise within the time of docs/protocol/continuing.md#19.4 */
  end({ isFinal }: { isFinal: boolean }): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearTimeout(this.#timer);
    clearInterval(this.#heartbeat);
    if (isFinal && this.#socket?.readyState === WebSocket.OPEN) this.#socket.close(1000);
    else this.#socket?.terminate();
  }

  #sendHeartbeat(): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send('{"op":"HEARTBEAT","t":null,"d":null}');
  }

  #connect(): void {
    const { addresses, token, wantsPresences, events } = this.options;
    const query = new URLSearchParams({ bot_token: token, v: "2", members: "all", s: this.#cursor });
    if (events.length > 0) query.set("events", events.join(","));
    if (!wantsPresences) query.set("presence", "none");
    const socket = new WebSocket(`${addresses.next()}/ws?${query}`, {
      perMessageDeflate: false,
      handshakeTimeout: upstreamHandshakeMs,
      maxPayload: upstreamFrameBytesMax,
    });
    this.#socket = socket;
    let isRefused = false;
    socket.on("open", () => {
      if (this.#isPaused) socket.pause();
    });
    socket.on("message", (data) => {
      if (this.#isEnded) return;
      this.#failingSince = null;
      this.#pauseMs = upstreamPauseMs.first;
      this.#receive(String(data));
    });
    socket.on("unexpected-response", (_request, { statusCode }) => {
      isRefused = statusCode === 401;
      socket.terminate();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      if (this.#isEnded) return;
      if (isRefused) this.#fail("revoked");
      else this.#connectAgain();
    });
  }

  #connectAgain(): void {
    const now = performance.now();
    this.#failingSince ??= now;
    if (now - this.#failingSince > upstreamPatienceMs) {
      this.#fail("unreachable");
      return;
    }
    this.#timer = setTimeout(() => this.#connect(), this.#pauseMs * (0.5 + Math.random() / 2));
    this.#pauseMs = Math.min(2 * this.#pauseMs, upstreamPauseMs.max);
  }

  #receive(text: string): void {
    const {
      op,
      t,
      d,
      s = null,
    } = JSON.parse(withoutRoles(text)) as { op: string; t: string | null; d: unknown; s?: string };
    if (op !== "DISPATCH" || t === null) return;
    this.#cursor = s ?? this.#cursor;
    this.options.onFrame(t === "READY" ? { t, d: readyPart(d as Ready), s, text: "" } : { t, d, s, text });
  }

  #fail(why: "revoked" | "unreachable"): void {
    this.end({ isFinal: false });
    this.options.onEnd(why);
  }
}
