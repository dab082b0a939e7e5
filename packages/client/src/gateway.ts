import { Connection, type ConnectionParts } from "./connection.js";
import { type ConsumeOptions, Consumer, type EventHandler } from "./consume.js";
import { ParleyError } from "./error.js";
import { readFrame } from "./frame.js";
import type {
  ConnectOptions,
  EventContext,
  GatewayEvent,
  GatewayEvents,
  GatewayOptions,
  StatusChange,
  VoiceSignal,
} from "./gateway-options.js";
import type { Ready } from "./generated/index.js";
import { Listeners } from "./listeners.js";
import { type CollectOptions, collectEvents, nextEvent, untilConnected, type WaitOptions } from "./wait.js";

/** Names of the server. Names of the client's own events begin with a small letter, so no frame can cause those. */
const serverName = /^[A-Z]/;

/** The channels in view that the server accepts of a connection. */
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const viewedMax = 20;

/** The parts of a gateway. */
export interface GatewayParts<First> extends ConnectionParts {
  /** Query parameters of the connection. */
  readonly options: GatewayOptions;
  /** The result of `connect` for a READY, and for null when the server continued. */
  readonly first: (ready: Ready | null) => First;
}

/** How a connection begins. */
interface Beginning extends ConnectOptions {
  readonly position: string | undefined;
}

/**
 * A connection to the gateway that reconnects after every loss. The server then sends the missed events; if it cannot,
 * `resync` is emitted.
 */
export class Gateway<First extends Ready | null = Ready | null> {
  readonly #parts: GatewayParts<First>;
  readonly #options: GatewayOptions;
  readonly #listeners: Listeners<GatewayEvents, EventContext, GatewayEvent> = new Listeners((error, name) => {
    if (name === "error" || this.#listeners.count("error") === 0) return false;
    this.#emit("error", { error, name });
    return true;
  });
  readonly #connection: Connection;
  #stop: AbortController | null = null;
  #position: string | null;
  #subscribed: readonly string[] = [];
  /** The channels in view; null before the first call. */
  #viewed: { channel_ids: readonly string[]; active: boolean } | null = null;
  #hadReady = false;

  /** @hidden Made by {@link ParleyClient.gateway}. */
  constructor(parts: GatewayParts<First>) {
    this.#parts = parts;
    this.#options = parts.options;
    this.#position = parts.options.position ?? null;
    this.#connection = new Connection(parts, parts.options, {
      position: () => this.#position,
      viewed: () => (this.#viewed?.channel_ids ?? []).filter((id) => uuid.test(id)).slice(0, viewedMax),
      onFrame: (data) => this.#receive(data),
      onDisconnect: (end) => this.#emit("disconnect", end),
    });
  }

  /** Position of the connection in the events of the server, from which another process can continue. */
  get position(): string | null {
    return this.#position;
  }

  /**
   * Calls `listener` for every event of that name, with the payload and the position of the connection after it; the
   * function that is returned ends that.
   */
  on<Name extends keyof GatewayEvents>(
    name: Name,
    listener: (payload: GatewayEvents[Name], context: EventContext) => unknown,
  ): () => void {
    return this.#listeners.on(name, listener);
  }

  /** Calls `listener` for the next event of that name only. */
  once<Name extends keyof GatewayEvents>(
    name: Name,
    listener: (payload: GatewayEvents[Name], context: EventContext) => unknown,
  ): () => void {
    return this.#listeners.once(name, listener);
  }

  /** Removes a listener that was given to `on` or `once`. */
  off<Name extends keyof GatewayEvents>(
    name: Name,
    listener: (payload: GatewayEvents[Name], context: EventContext) => unknown,
  ): void {
    this.#listeners.off(name, listener);
  }

  /**
   * Waits for the next event of that name that fits.
   *
   * @throws ParleyError after `timeoutMs` (`deadline_passed`) and when the gateway is closed (`gateway_closed`, or the
   * error that closed it)
   */
  waitFor<Name extends keyof GatewayEvents>(
    name: Name,
    options: WaitOptions<GatewayEvents[Name]> = {},
  ): Promise<GatewayEvents[Name]> {
    return nextEvent(this.#listeners, name, options);
  }

  /**
   * Collects events of that name: resolves with those that came within `timeoutMs`, and as soon as there are `max`.
   *
   * @throws ParleyError when the gateway is closed meanwhile, as `waitFor` does
   */
  collect<Name extends keyof GatewayEvents>(
    name: Name,
    options: CollectOptions<GatewayEvents[Name]>,
  ): Promise<GatewayEvents[Name][]> {
    return collectEvents(this.#listeners, name, options);
  }

  /** Calls `listener` for every event of the server; the function that is returned ends that. */
  onAny(listener: (event: GatewayEvent) => unknown): () => void {
    return this.#listeners.onAny(listener);
  }

  /**
   * Connects, and stays connected until {@link Gateway.close}. Resolves with the first READY; with the option
   * `position`, when the server could continue from there, with null. Without that option every call begins anew.
   *
   * While the server cannot be reached the call waits, and `disconnect` has the reasons.
   *
   * @throws ParleyError when the server refuses, when there is none at the address, and after `timeoutMs`
   */
  connect(options: ConnectOptions = {}): Promise<First> {
    // After the option was used once, the connection is further on.
    const position = this.#options.position === undefined ? undefined : (this.#position ?? undefined);
    const begun = this.#begin({ ...options, position }, () => void first.catch(() => undefined));
    const first: Promise<First> = begun.then(this.#parts.first);
    return first;
  }

  async #begin({ signal, timeoutMs, position }: Beginning, onClose: () => void): Promise<Ready | null> {
    if (this.#stop !== null) throw new Error("This gateway is connected already.");
    signal?.throwIfAborted();
    const stop = new AbortController();
    this.#stop = stop;
    this.#position = position ?? null;
    const onAbort = () => this.close();
    signal?.addEventListener("abort", onAbort, { once: true });
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => this.#giveUp(timeoutMs), timeoutMs);
    try {
      const connected = untilConnected(this.#listeners, (error) => {
        // `close` was called, so the caller of this function is not to wait any longer.
        if (error === null) onClose();
        return error ?? signal?.reason ?? new Error("Closed");
      });
      this.#connection.run(stop.signal).then((error) => {
        if (!stop.signal.aborted) this.#finish(error);
      });
      return await connected;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /**
   * Connects, and calls `handler` with every event of the server, also READY, until {@link Gateway.close}; resolves
   * then, once the running handlers are done. With a store the next run continues after the last event before which all
   * are handled: however this one ends, no event is lost, and only those whose handlers were running come again.
   *
   * After a READY with `resync` events were missed: read your data again.
   *
   * @throws the error of a handler or of the store; ParleyError as `connect` does, and at the end of access
   */
  async consume(handler: EventHandler, options: ConsumeOptions = {}): Promise<void> {
    if (this.#options.numbered === false) throw new Error("Without numbers there are no positions to go on from.");
    if (options.store !== undefined && this.#options.cache !== undefined) throw new Error("A cache has no store.");
    const position = await options.store?.read();
    const consumer = new Consumer(handler, options, () => this.close());
    const onAbort = () => this.close();
    options.signal?.addEventListener("abort", onAbort);
    const undo = [
      () => options.signal?.removeEventListener("abort", onAbort),
      this.onAny((event) => {
        const room = consumer.push(event);
        if (room !== null) this.#connection.hold(room);
      }),
      this.on("close", (error) => consumer.end(error)),
    ];
    try {
      await this.#begin({ ...options, position: position ?? this.#options.position }, () => undefined).catch(
        (error: unknown) => consumer.end(error),
      );
      await consumer.finished;
    } finally {
      for (const step of undo) step();
    }
  }

  /** Ends the connection for good; co-members see the user offline at once. */
  close(): void {
    this.#finish(null);
  }

  /** Tries at once, or finds out whether the connection still works: for when a device wakes up or is online again. */
  nudge(): void {
    this.#connection.nudge();
  }

  /**
   * Sets the status of the user; without a connection the call has no effect.
   *
   * @throws Error for a bot, from which the gateway takes none: `users.updateMe` sets it
   */
  updateStatus(change: StatusChange): void {
    this.#send("PRESENCE_UPDATE", change, "users.updateMe sets it");
  }

  /**
   * Sends TYPING_START for a channel.
   *
   * @throws Error for a bot, from which the gateway takes none
   */
  startTyping(channelId: string): void {
    this.#send("TYPING_START", { channel_id: channelId }, "bots do not type");
  }

  /**
   * Sends a signal to a user in the same voice channel.
   *
   * @throws Error for a bot, from which the gateway takes none
   */
  signalVoice(signal: VoiceSignal): void {
    this.#send("VOICE_SIGNAL", signal, "bots do not speak");
  }

  /** With `presence: "subscribed"`: the users whose presence is sent, at most 400, also on later connections. */
  subscribePresence(userIds: readonly string[]): void {
    this.#subscribed = [...userIds];
    this.#connection.send("PRESENCE_SUBSCRIBE", { user_ids: this.#subscribed });
  }

  /**
   * Says which channels are shown, at most 20, also on later connections, and whether somebody looks at them: no push goes out of
   * these. `VIEW_ACK` has those that may be viewed. Not with `v: 1`.
   *
   * @throws Error on a connection without `v=2`, whose gateway takes none
   */
  view(channelIds: readonly string[], { active = true }: { readonly active?: boolean } = {}): void {
    if (this.#options.v === 1) throw new Error("The gateway takes no VIEW on a connection with v=1.");
    this.#viewed = { channel_ids: [...channelIds], active };
    this.#connection.send("VIEW", this.#viewed);
  }

  #send(op: string, d: object, advice: string): void {
    // The server would drop it in silence.
    if (this.#parts.credentials.isBot) throw new Error(`The gateway takes no ${op} from a bot: ${advice}.`);
    this.#connection.send(op, d);
  }

  #receive(data: unknown): void {
    const event = readFrame(data);
    if (event === null || !serverName.test(event.name)) return;
    if (event.name === "RESUMED" && this.#position === null) throw new Error("The server continued from nowhere");
    this.#position = event.position ?? this.#position;
    if (event.name === "READY" || event.name === "RESUMED") {
      this.#connection.confirm();
      if (this.#subscribed.length > 0) this.#connection.send("PRESENCE_SUBSCRIBE", { user_ids: this.#subscribed });
      if (this.#viewed !== null) this.#connection.send("VIEW", this.#viewed);
      this.#log(
        event.name === "READY" ? "Connected" : `Connected again; ${event.data.replayed} events were sent later`,
      );
    }
    this.#options.cache?.apply(event);
    this.#listeners.emitAny(event);
    if (this.#listeners.has(event.name)) this.#listeners.emit(event.name, event.data, event);
    if (event.name !== "READY") return;
    const { data: ready } = event;
    if (this.#hadReady || ready.resync !== undefined) {
      const reason = ready.resync ?? "unnumbered";
      this.#log(`Events were missed: ${reason}`);
      this.#emit("resync", { reason, ready });
    }
    this.#hadReady = true;
  }

  #emit<Name extends "resync" | "disconnect" | "close" | "error">(name: Name, payload: GatewayEvents[Name]): void {
    this.#listeners.emit(name, payload, { position: this.#position });
  }

  #log(line: string): void {
    this.#options.log?.(line);
  }

  #giveUp(afterMs: number): void {
    const { lastCause: cause } = this.#connection;
    const text = `No connection within ${afterMs} ms${cause === null ? "" : `: ${cause.message}`}`;
    this.#finish(new ParleyError({ status: 0, code: "deadline_passed", text, cause }));
  }

  #finish(error: ParleyError | null): void {
    if (this.#stop === null) return;
    this.#stop.abort();
    this.#stop = null;
    this.#connection.close();
    this.#options.cache?.close();
    this.#log(error === null ? "Closed" : `The end: ${error.message}`);
    this.#emit("close", error);
  }
}
