import type { GatewayProcess } from "./presence-world-fixture.js";

/** A user as they must be. */
export interface ModelUser {
  id: string;
  status: string;
  inVoice: boolean;
  /** Whether they count as connected after the loss of a numbered connection. */
  inGrace: boolean;
  /** Every status that co-members must have received, in order. */
  heard: string[];
}

/** A connection that was opened and not closed in order. */
export interface ModelConnection {
  id: string;
  isNumbered: boolean;
  user: ModelUser;
  holder: Slot;
  /** False once its process was declared dead. */
  counted: boolean;
}

/** A slot for a gateway process; a crashed one is followed by another. */
export interface Slot {
  name: string;
  process: GatewayProcess;
  paused: boolean;
}

/** The reference: a user is connected while any counted connection is theirs, and during a grace. */
export class Model {
  readonly users: ModelUser[];
  readonly slots: Slot[];
  connections: ModelConnection[] = [];
  /** Processes that crashed and were not removed yet. */
  dead: Slot[] = [];
  #nextConnection = 0;

  constructor(users: ModelUser[], slots: Slot[]) {
    this.users = users;
    this.slots = slots;
  }

  has(user: ModelUser): boolean {
    return this.connections.some((connection) => connection.user === user && connection.counted);
  }
  counts(user: ModelUser): boolean {
    return user.inGrace || this.has(user);
  }
  says(user: ModelUser, status: string): void {
    user.status = status;
    user.heard.push(status);
  }
  add(user: ModelUser, holder: Slot, isNumbered = false): string {
    const isFirst = !this.counts(user);
    user.inGrace = false;
    this.#nextConnection += 1;
    const id = `${user.id}-${this.#nextConnection}`;
    this.connections.push({ id, isNumbered, user, holder, counted: true });
    if (isFirst) this.says(user, "online");
    return id;
  }
  /** The connections count no more; users without another one are offline. */
  drop(connections: readonly ModelConnection[], how: "left" | "lost" | "died"): void {
    const users = this.users.filter((user) => this.counts(user));
    for (const connection of connections.filter(({ counted }) => counted)) {
      connection.counted = false;
      const { user } = connection;
      if (connection.isNumbered && how !== "left") user.inGrace = true;
      else if (how !== "died" && !this.has(user)) user.inGrace = false;
    }
    this.#tellWhoLeft(users);
  }
  /** All graces end. */
  expireGraces(): void {
    const users = this.users.filter((user) => this.counts(user));
    for (const user of users) user.inGrace = false;
    this.#tellWhoLeft(users);
  }
  /** Redis has lost the connections of these processes and all graces. */
  forget(slots: readonly Slot[]): void {
    const users = this.users.filter((user) => this.counts(user));
    for (const connection of this.connections) if (slots.includes(connection.holder)) connection.counted = false;
    for (const user of users) user.inGrace = false;
    this.#tellWhoLeft(users);
    this.dead = this.dead.filter((slot) => !slots.includes(slot));
  }
  #tellWhoLeft(users: readonly ModelUser[]): void {
    for (const user of users) {
      if (this.counts(user)) continue;
      user.inVoice = false;
      this.says(user, "offline");
    }
  }
  /** The processes are declared dead. */
  expireLeases(slots: readonly Slot[]): void {
    this.drop(
      this.connections.filter(({ holder }) => slots.includes(holder)),
      "died",
    );
    this.dead = this.dead.filter((slot) => !slots.includes(slot));
  }
  /** The process has noticed that it was declared dead, and is back. */
  comeBack(slot: Slot): void {
    for (const connection of this.connections.filter(({ holder, counted }) => holder === slot && !counted)) {
      const isFirst = !this.counts(connection.user);
      connection.counted = true;
      connection.user.inGrace = false;
      if (isFirst) this.says(connection.user, "online");
    }
  }
}
