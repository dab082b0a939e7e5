import type { Credentials } from "./credentials.js";
import { ParleyError } from "./error.js";
import type { GatewayOptions } from "./gateway-options.js";
import { GatewaySocket, heldCode, type SocketEnd, type SocketTimes, wrongFrameCode } from "./gateway-socket.js";
import { type Backoff, backoffMs, pause } from "./pause.js";
import { findReason, rootCause } from "./refusal.js";
import { findWebSocket, type WebSocketConstructor } from "./websocket.js";

const defaultBackoff: Backoff = { baseMs: 1_000, maxMs: 30_000 };
/** An attempt costs a server that is not there nothing, and its return is noticed sooner. */
const unansweredMsMax = 10_000;
const defaultTimes: SocketTimes = { openMs: 15_000, heartbeatMs: 30_000, answerMs: 10_000 };
/** A network is there again; a tab is looked at again, perhaps after its device slept. */
const wakeEvents = ["online", "visibilitychange"];
/** The parts that a gateway connects with. */
export interface ConnectionParts {
  /** Address of the server. */
  readonly baseUrl: string;
  /** Sends requests. */
  readonly fetch: typeof fetch;
  /** The credentials of the connection. */
  readonly credentials: Credentials;
  /** Replaces the platform's. */
  readonly WebSocket: WebSocketConstructor | undefined;
}

/** Callbacks of a connection. */
interface ConnectionEvents {
  /** The position from which the next socket continues. */
  readonly position: () => string | null;
  /** The channels that are shown. */
  readonly viewed: () => readonly string[];
  /** Gets each frame; an error that it throws ends the socket. */
  readonly onFrame: (data: unknown) => void;
  readonly onDisconnect: (end: SocketEnd) => void;
}

/** One socket after the other, until there is no access any more: attempts, the reasons of failures, and waits. */
export class Connection {
  readonly #parts: ConnectionParts;
  readonly #options: GatewayOptions;
  readonly #times: SocketTimes;
  readonly #events: ConnectionEvents;
  #WebSocket: WebSocketConstructor | undefined;
  #socket: GatewaySocket | null = null;
  #wake: (() => void) | null = null;
  #hold: Promise<void> | null = null;
  #wasConnected = false;
  #isAnswered = true;
  #failures = 0;
  #token = "";
  #isTokenRefused = false;
  #lastCause: Error | null = null;

  constructor(parts: ConnectionParts, options: GatewayOptions, events: ConnectionEvents) {
    this.#parts = parts;
    this.#options = options;
    this.#events = events;
    this.#times = { ...defaultTimes, ...options.times };
    this.#WebSocket = parts.WebSocket;
  }

  /** Why the last attempt failed. */
  get lastCause(): Error | null {
    return this.#lastCause;
  }

  /** To be called for READY and RESUMED. */
  confirm(): void {
    this.#failures = 0;
    this.#wasConnected = true;
    this.#isAnswered = true;
  }

  /** Sends a frame; without a socket it is lost. */
  send(op: string, d: object): void {
    this.#socket?.send(op, d);
  }

  /** Tries at once, or finds out whether the socket still works. */
  nudge(): void {
    this.#wake?.();
    this.#socket?.probe();
  }

  /** Ends the socket in order. */
  close(): void {
    this.#socket?.close();
    this.#socket = null;
  }

  /** Gives the socket up; the next one is opened after `until`. */
  hold(until: Promise<void>): void {
    this.#hold = until;
    this.#socket?.abandon("handlers are behind", heldCode);
  }

  /** Connects again and again; resolves with the error that ends it, or null once the signal is aborted. */
  async run(signal: AbortSignal): Promise<ParleyError | null> {
    const onWake = () => this.nudge();
    const target = browserEvents();
    for (const name of wakeEvents) target?.addEventListener(name, onWake);
    try {
      while (!signal.aborted) {
        const failures = this.#failures;
        const end = await this.#connectOnce(signal);
        if (signal.aborted) break;
        this.#socket = null;
        if (this.#hold !== null) {
          this.#events.onDisconnect(end);
          await this.#held(signal);
          continue;
        }
        // A server that sends wrong frames each time is not dialled each second.
        if (end.code === wrongFrameCode) this.#failures = failures;
        await this.#ended(end, signal);
        if (signal.aborted) break;
        this.#failures += 1;
      }
      return null;
    } catch (error) {
      return asParleyError(error);
    } finally {
      for (const name of wakeEvents) target?.removeEventListener(name, onWake);
    }
  }

  async #held(signal: AbortSignal): Promise<void> {
    const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    await Promise.race([this.#hold, aborted]);
    this.#hold = null;
  }

  /** Acts on the end of a connection or of an attempt, up to the next one. */
  async #ended(end: SocketEnd, signal: AbortSignal): Promise<void> {
    const cause = end.wasOpen ? end.cause : await this.#examine(end.cause);
    if (signal.aborted) return;
    const backoff = { ...defaultBackoff, ...this.#options.backoff };
    const maxMs = this.#isAnswered ? backoff.maxMs : Math.min(backoff.maxMs, unansweredMsMax);
    const waitMs = backoffMs({ ...backoff, maxMs }, this.#failures);
    this.#lastCause = cause;
    const why = [end.code, end.reason, cause?.message].filter((part) => part !== "" && part !== undefined).join(", ");
    const what = end.wasOpen ? "The connection ended" : "No connection";
    this.#options.log?.(`${what} (${why}); the next attempt follows in ${(waitMs / 1_000).toFixed(1)} s`);
    this.#events.onDisconnect({ ...end, cause });
    // 1000 is how a server ends a session, or a connection too many.
    if (end.wasOpen && end.code === 1000) await this.#examine(null);
    await this.#pause(waitMs, signal);
  }

  async #connectOnce(signal: AbortSignal): Promise<SocketEnd> {
    this.#WebSocket ??= await findWebSocket();
    const WebSocket = this.#WebSocket;
    const failure = await this.#findToken();
    if (failure !== null || signal.aborted) return { code: 1006, reason: "", wasOpen: false, cause: failure };
    const socket = new GatewaySocket({
      url: this.#address("ws"),
      WebSocket,
      times: this.#times,
      onFrame: this.#events.onFrame,
    });
    this.#socket = socket;
    return socket.ended;
  }

  /** Finds the token to connect with; returns why there is none at the moment. Throws without access. */
  async #findToken(): Promise<Error | null> {
    this.#token = "";
    try {
      this.#token = await this.#parts.credentials.gatewayToken(this.#isTokenRefused);
      this.#isTokenRefused = false;
      return null;
    } catch (error) {
      if (isFinal(error)) throw error;
      return rootCause(error);
    }
  }

  /** Finds the reason of a failure. Throws the one that no later attempt would change. */
  async #examine(known: Error | null): Promise<Error | null> {
    // Also without a token the answer shows whether there is a server.
    const { verdict, error, isAnswered } = await findReason(
      this.#parts.fetch,
      this.#address("http"),
      this.#times.openMs,
    );
    this.#isAnswered = isAnswered;
    const hadToken = this.#token !== "";
    if (verdict === "token" && hadToken) this.#isTokenRefused = true;
    // A connection that has worked goes on trying although a proxy answers something else for a minute.
    if (verdict === "refused" || (verdict === "elsewhere" && !this.#wasConnected)) throw error;
    return isAnswered && hadToken ? error : (known ?? error);
  }

  #address(scheme: "ws" | "http"): string {
    const { v = 2, members, presence, events, view, shard, numbered = true, cache } = this.#options;
    const url = new URL(`${this.#parts.baseUrl.replace(/^http/, scheme)}/ws`);
    url.searchParams.set("token", this.#token);
    if (numbered) url.searchParams.set("s", this.#events.position() ?? "");
    if (v === 2) url.searchParams.set("v", "2");
    if (members !== undefined) url.searchParams.set("members", members);
    if (presence !== undefined) url.searchParams.set("presence", presence);
    if (events !== undefined)
      url.searchParams.set("events", [...new Set([...events, ...(cache?.events ?? [])])].join(","));
    if (view !== undefined) url.searchParams.set("view", this.#events.viewed().join(",") || view);
    if (shard !== undefined) url.searchParams.set("shard", shard.join("/"));
    return url.href;
  }

  #pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    return pause(milliseconds, AbortSignal.any([signal, woken.signal])).catch(() => {
      this.#wake = null;
    });
  }
}

const isFinal = (error: unknown) => error instanceof ParleyError && [400, 401, 403].includes(error.status);

function asParleyError(error: unknown): ParleyError {
  return error instanceof ParleyError
    ? error
    : new ParleyError({ status: 0, code: "unreachable", text: "The gateway failed", cause: error });
}

/** A page's window, or a worker's scope; null in Node.js. */
function browserEvents(): EventTarget | null {
  const target: unknown = globalThis;
  return target instanceof EventTarget ? target : null;
}
