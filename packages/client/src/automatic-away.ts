import type { ParleyClient } from "./client.js";
import type { Gateway } from "./gateway.js";
import type { PresenceStatus } from "./generated/index.js";

/** After so long without activity an account is away, in milliseconds. */
const awayAfterMs = 300_000;

/** Settings of {@link createAutomaticAway}. */
export interface AutomaticAwayOptions {
  /** Time without activity, in milliseconds; 5 minutes by default. */
  readonly afterMs?: number;
}

/** The status `away` of a person who does nothing (docs/protocol/accounts.md#33.5). */
export interface AutomaticAway {
  /** The person does something: an automatic `away` ends, and the time begins anew. To be called at every sign of it. */
  active(): void;
  /** The person cannot see the program: they are away at once. */
  idle(): void;
  /** The person chose a status here: an automatic `away` is not undone. */
  chosen(): void;
  /** Ends it, and leaves the status as it is. */
  close(): void;
}

/**
 * Sets the account `away` after a time without activity, where it is `online`, and `online` again with the next activity, unless its
 * status was chosen meanwhile, here or on another device. The program reports activity.
 *
 * @param gateway a connection with `v=2`, whose events say the status
 */
export function createAutomaticAway(
  client: Pick<ParleyClient, "users">,
  gateway: Pick<Gateway, "on">,
  { afterMs = awayAfterMs }: AutomaticAwayOptions = {},
): AutomaticAway {
  const rule = new AwayRule(afterMs, async (status) => (await client.users.updateMe({ status })).status);
  const undo = [
    gateway.on("READY", ({ user }) => rule.begun(user.status)),
    gateway.on("USER_UPDATE", ({ status }) => rule.heard(status)),
  ];
  return {
    active: () => rule.active(),
    idle: () => rule.idle(),
    chosen: () => rule.chosen(),
    close() {
      for (const step of undo) step();
      rule.close();
    },
  };
}

/** When a status is set to `away`, and back. */
export class AwayRule {
  /** Null until the first connection. */
  #status: PresenceStatus | null = null;
  /** `asked` until an event says so: one from before may still be on its way. */
  #away: "no" | "asked" | "yes" = "no";
  #timer: ReturnType<typeof setTimeout>;

  /** @param set resolves with the status that the account has then */
  constructor(
    private readonly afterMs: number,
    private readonly set: (status: PresenceStatus) => Promise<PresenceStatus>,
  ) {
    this.#timer = this.#start();
  }

  /** A connection begins: with the first one of an account the server sets `online`. */
  begun(status: PresenceStatus): void {
    this.#status = status;
    const wasAway = this.#away !== "no";
    this.#away = "no";
    if (wasAway && status === "away") this.#away = "yes";
    else if (wasAway) this.idle();
  }

  /** The account has a status, by whichever of its devices. */
  heard(status: PresenceStatus): void {
    this.#status = status;
    if (this.#away === "asked" && status === "away") this.#away = "yes";
    else if (this.#away === "yes" && status !== "away") this.#away = "no";
  }

  active(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#start();
    if (this.#away === "no") return;
    this.#away = "no";
    this.#change("online");
  }

  idle(): void {
    if (this.#status !== "online" || this.#away !== "no") return;
    this.#away = "asked";
    this.#change("away");
  }

  chosen(): void {
    this.#away = "no";
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#away = "no";
  }

  /** After a failure the next time without activity, or the next activity, tries again. */
  #change(status: "online" | "away"): void {
    this.#status = status;
    this.set(status).catch(() => {
      if (this.#status !== status) return;
      this.#status = status === "away" ? "online" : "away";
      this.#away = status === "away" ? "no" : "yes";
    });
  }

  #start(): ReturnType<typeof setTimeout> {
    const timer = setTimeout(() => this.idle(), this.afterMs);
    // A program of Node.js may end meanwhile.
    if (typeof timer === "object") timer.unref();
    return timer;
  }
}
