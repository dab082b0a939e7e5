import type { Credentials } from "./credentials.js";
import { errorOf, ParleyError } from "./error.js";
import type { GatewayEvents, GatewayOptions, StatusChange, VoiceSignal } from "./gateway-options.js";
import { GatewaySocket, type SocketEnd, type SocketTimes } from "./gateway-socket.js";
import type { Ready } from "./generated/index.js";
import { Listeners } from "./listeners.js";
import { type Backoff, backoffMs, pause } from "./pause.js";
import { findWebSocket, type WebSocketConstructor } from "./websocket.js";

const defaultBackoff: Backoff = { baseMs: 1_000, maxMs: 30_000 };
const defaultTimes: SocketTimes = { openMs: 15_000, heartbeatMs: 30_000, answerMs: 10_000 };
/** A network is there again; a tab is looked at again, perhaps after its device slept. */
const wakeEvents = ["online", "visibilitychange"];
const neverOpened: SocketEnd = { code: 1006, reason: "", wasOpen: false };

/**
 * A connection to the gateway that reconnects after every loss. The server then sends the missed events; if it cannot,
 * `resync` is emitted.
 */
export class Gateway {
  readonly #baseUrl: string;
  readonly #fetch: typeof fetch;
  readonly #credentials: Credentials;
  readonly #options: GatewayOptions;
  readonly #listeners = new Listeners<GatewayEvents>();
  #WebSocket: WebSocketConstructor | undefined;
  #stop: AbortController | null = null;
  #socket: GatewaySocket | null = null;
  #wake: (() => void) | null = null;
  #position: string | null;
  #subscribed: readonly string[] = [];
  #hadReady = false;
  #failures = 0;
  #isTokenRefused = false;

  /** @hidden Made by {@link ParleyClient.gateway}. */
  constructor(options: {
    baseUrl: string;
    fetch: typeof fetch;
    credentials: Credentials;
    WebSocket: WebSocketConstructor | undefined;
    options: GatewayOptions;
  }) {
    this.#baseUrl = options.baseUrl;
    this.#fetch = options.fetch;
    this.#credentials = options.credentials;
    this.#WebSocket = options.WebSocket;
    this.#options = options.options;
    this.#position = options.options.position ?? null;
  }

  /** Where the connection is in the events of the server; with it another process can go on. */
  get position(): string | null {
    return this.#position;
  }

  /** Calls `listener` for every event of that name; the function that is returned ends that. */
  on<Name extends keyof GatewayEvents>(name: Name, listener: (payload: GatewayEvents[Name]) => void): () => void {
    return this.#listeners.on(name, listener);
  }

  /**
   * Connects, and stays connected until {@link Gateway.close}. Resolves with the first READY; with the option
   * `position`, when the server could continue from there, with null.
   *
   * @throws ParleyError when the server refuses. While it cannot be reached, the call waits, until the signal aborts it
   */
  async connect({ signal }: { signal?: AbortSignal } = {}): Promise<Ready | null> {
    if (this.#stop !== null) throw new Error("This gateway is connected already.");
    signal?.throwIfAborted();
    const stop = new AbortController();
    this.#stop = stop;
    const onAbort = () => this.close();
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        const undo = [
          this.on("READY", (ready) => settle(() => resolve(ready))),
          this.on("RESUMED", () => settle(() => resolve(null))),
          this.on("close", (error) => settle(() => reject(error ?? signal?.reason ?? new Error("Closed")))),
        ];
        const settle = (outcome: () => void) => {
          for (const step of undo) step();
          outcome();
        };
        void this.#run(stop.signal);
      });
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** Ends the connection for good; co-members see the user offline at once. */
  close(): void {
    this.#finish(null);
  }

  /** Tries at once, or finds out whether the connection still works: for when a device wakes up or is online again. */
  nudge(): void {
    this.#wake?.();
    this.#socket?.probe();
  }

  /** Sets the status of the user; without a connection the call has no effect. */
  updateStatus(change: StatusChange): void {
    this.#socket?.send("PRESENCE_UPDATE", change);
  }

  /** Sends TYPING_START for a channel. */
  startTyping(channelId: string): void {
    this.#socket?.send("TYPING_START", { channel_id: channelId });
  }

  /** Sends a signal to a user in the same voice channel. */
  signalVoice(signal: VoiceSignal): void {
    this.#socket?.send("VOICE_SIGNAL", signal);
  }

  /** With `presence: "subscribed"`: the users whose presence is sent, at most 400, also on later connections. */
  subscribePresence(userIds: readonly string[]): void {
    this.#subscribed = [...userIds];
    this.#socket?.send("PRESENCE_SUBSCRIBE", { user_ids: this.#subscribed });
  }

  async #run(signal: AbortSignal): Promise<void> {
    const onWake = () => this.nudge();
    const target = browserEvents();
    for (const name of wakeEvents) target?.addEventListener(name, onWake);
    try {
      while (!signal.aborted) {
        const end = await this.#connectOnce(signal);
        if (signal.aborted) return;
        this.#socket = null;
        this.#listeners.emit("disconnect", end);
        // 1000 is how a server ends a session, or a connection too many.
        if (!end.wasOpen || end.code === 1000) await this.#examine();
        if (signal.aborted) return;
        await this.#pause(backoffMs({ ...defaultBackoff, ...this.#options.backoff }, this.#failures), signal);
        this.#failures += 1;
      }
    } catch (error) {
      if (!signal.aborted) this.#finish(asParleyError(error));
    } finally {
      for (const name of wakeEvents) target?.removeEventListener(name, onWake);
    }
  }

  async #connectOnce(signal: AbortSignal): Promise<SocketEnd> {
    this.#WebSocket ??= await findWebSocket();
    const WebSocket = this.#WebSocket;
    const token = await this.#token();
    if (token === null || signal.aborted) return neverOpened;
    const socket = new GatewaySocket({
      url: this.#address("ws", token),
      WebSocket,
      times: { ...defaultTimes, ...this.#options.times },
      onFrame: (text) => this.#receive(text, socket),
    });
    this.#socket = socket;
    return socket.ended;
  }

  /** The token to connect with; null while the server is out of reach. Throws without access. */
  async #token(): Promise<string | null> {
    try {
      const token = await this.#credentials.gatewayToken(this.#isTokenRefused);
      this.#isTokenRefused = false;
      return token;
    } catch (error) {
      if (isFinal(error)) throw error;
      return null;
    }
  }

  /**
   * Finds the reason of a refusal, which WebSocket does not expose, by a plain request to the same address. In browsers
   * it needs an answer that the page may read (CORS).
   */
  async #examine(): Promise<void> {
    const token = await this.#token();
    if (token === null) return;
    const error = await this.#ask(token);
    if (error === null || error.status === 401) this.#isTokenRefused = true;
    else if (error.status === 400 && !/upgrade/i.test(error.code)) throw error;
  }

  /** The error in the answer to a plain request; null without a complete answer, as a part of one could be misread. */
  async #ask(token: string): Promise<ParleyError | null> {
    const { openMs } = { ...defaultTimes, ...this.#options.times };
    try {
      const signal = AbortSignal.timeout(openMs);
      const answer = await this.#fetch(this.#address("http", token), { redirect: "manual", signal });
      return errorOf(answer, await answer.text());
    } catch {
      return null;
    }
  }

  #address(scheme: "ws" | "http", token: string): string {
    const { presence, events, shard, numbered = true } = this.#options;
    const url = new URL(`${this.#baseUrl.replace(/^http/, scheme)}/ws`);
    url.searchParams.set("token", token);
    if (numbered) url.searchParams.set("s", this.#position ?? "");
    if (presence !== undefined) url.searchParams.set("presence", presence);
    if (events !== undefined) url.searchParams.set("events", events.join(","));
    if (shard !== undefined) url.searchParams.set("shard", shard.join("/"));
    return url.href;
  }

  #receive(text: string, socket: GatewaySocket): void {
    const { t, s, d } = JSON.parse(text);
    if (typeof s === "string") this.#position = s;
    if (typeof t !== "string") return;
    if (t === "READY" || t === "RESUMED") {
      this.#failures = 0;
      if (this.#subscribed.length > 0) socket.send("PRESENCE_SUBSCRIBE", { user_ids: this.#subscribed });
    }
    if (this.#listeners.has(t)) this.#listeners.emit(t, d);
    if (t !== "READY") return;
    const ready: Ready = d;
    if (this.#hadReady || ready.resync !== undefined) {
      this.#listeners.emit("resync", { reason: ready.resync ?? "unnumbered", ready });
    }
    this.#hadReady = true;
  }

  #pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    return pause(milliseconds, AbortSignal.any([signal, woken.signal])).catch(() => {
      this.#wake = null;
    });
  }

  #finish(error: ParleyError | null): void {
    if (this.#stop === null) return;
    this.#stop.abort();
    this.#stop = null;
    this.#socket?.close();
    this.#socket = null;
    this.#listeners.emit("close", error);
  }
}

const isFinal = (error: unknown) => error instanceof ParleyError && [400, 401, 403].includes(error.status);

function asParleyError(error: unknown): ParleyError {
  return error instanceof ParleyError
    ? error
    : new ParleyError({ status: 0, code: "The gateway failed", cause: error });
}

/** A page's window, or a worker's scope; null in Node.js. */
function browserEvents(): EventTarget | null {
  const target: unknown = globalThis;
  return target instanceof EventTarget ? target : null;
}
