import { randomUUID } from "node:crypto";
import { createEvent } from "@parley/contracts";
import type { Database } from "@parley/database";
import {
  type Candidate,
  type ClaimedInteraction,
  claimBatchMax,
  claimForConnections,
  firstAnswerSeconds,
  releaseInteractions,
} from "@parley/interactions";
import { answerAlive, type Messaging, publishLive } from "@parley/messaging";
import type { Logger } from "@parley/service-runtime";
import type { Connection } from "../connection/connection.js";
import { encodeTextFrame } from "../connection/frames.js";
import type { Hub } from "../hub/hub.js";

type BotConnection = Pick<Connection, "id" | "userId" | "isBot" | "state" | "query" | "wants">;

/** An interaction that a connection has, for as long as it may have to be given back. */
interface PendingInteraction {
  id: string;
  until: number;
}

/**
 * Brings interactions to exactly one connection of their bot, whichever gateways those are on
 * (docs/processes/interactions.md#interactions). A notice says that some wait, and the row of each decides which gateway has it:
 * the first one that writes its connection into it.
 */
export class Interactions {
  /** Unique to this process: services that wait for an answer ask NATS whether this gateway lives. */
  readonly #gatewayId = randomUUID();
  readonly #stopAnswering: () => void;
  /** Bots whose interactions are being claimed; true when more came meanwhile. */
  readonly #claiming = new Map<string, boolean>();
  readonly #held = new WeakMap<object, PendingInteraction[]>();
  readonly #releases = new Set<Promise<void>>();

  constructor(
    private readonly options: {
      database: Pick<Database, "query">;
      messaging: Messaging;
      hub: Pick<Hub, "user">;
      logger: Logger;
    },
  ) {
    this.#stopAnswering = answerAlive(options.messaging, this.#gatewayId);
  }

  /** Claims the waiting interactions of a bot, if it has a connection here that may get them. */
  claimFor(botUserId: string): void {
    if (this.#claiming.has(botUserId)) {
      this.#claiming.set(botUserId, true);
      return;
    }
    void this.#claim(botUserId).finally(() => this.#claiming.delete(botUserId));
  }

  /** A new connection gets the interactions from before it that have not expired. */
  opened(connection: BotConnection): void {
    if (mayGet(connection)) this.claimFor(connection.userId);
  }

  /** Interactions without an answer go to another connection. */
  ended(connection: Pick<Connection, "id" | "userId">): void {
    const ids = this.#unanswered(connection).map(({ id }) => id);
    if (ids.length > 0) this.#release(connection, ids);
  }

  /** Resolves when everything is given back. */
  async close(): Promise<void> {
    await Promise.all(this.#releases);
    this.#stopAnswering();
  }

  async #claim(botUserId: string): Promise<void> {
    const { database, logger } = this.options;
    let more = true;
    while (more) {
      this.#claiming.set(botUserId, false);
      const connections = this.#connectionsOf(botUserId);
      if (connections.size === 0) return;
      const candidates: Candidate[] = [...connections.values()].map(({ id, query: { shard } }) => ({ id, shard }));
      try {
        const claimed = await claimForConnections(database, { botUserId, gatewayId: this.#gatewayId, candidates });
        for (const each of claimed) this.#deliver(connections, each);
        more = claimed.length === claimBatchMax || this.#claiming.get(botUserId) === true;
      } catch (err) {
        // The notice is repeated until a gateway claims them or they expire.
        logger.warn({ err }, "interactions could not be claimed");
        return;
      }
    }
  }

  #connectionsOf(botUserId: string): Map<string, Connection> {
    const all = this.options.hub.user(botUserId)?.connections ?? [];
    return new Map(all.filter(mayGet).map((connection) => [connection.id, connection]));
  }

  #deliver(connections: ReadonlyMap<string, Connection>, { id, connectionId, frame }: ClaimedInteraction): void {
    const connection = connections.get(connectionId);
    if (connection === undefined) return;
    if (connection.state !== "open") {
      this.#release(connection, [id]);
      return;
    }
    const held = this.#unanswered(connection);
    held.push({ id, until: performance.now() + firstAnswerSeconds * 1_000 });
    this.#held.set(connection, held);
    connection.send(encodeTextFrame(Buffer.from(frame)), performance.now());
  }

  /** The connection's interactions that may still be answered for the first time. */
  #unanswered(connection: object): PendingInteraction[] {
    const held = this.#held.get(connection) ?? [];
    const now = performance.now();
    const firstInTime = held.findIndex(({ until }) => until > now);
    if (firstInTime === -1) return [];
    return firstInTime < held.length / 2 ? held : held.slice(firstInTime);
  }

  #release({ id, userId }: Pick<Connection, "id" | "userId">, ids: readonly string[]): void {
    const { database, messaging, logger } = this.options;
    const releasing = releaseInteractions(database, id, ids)
      .then((released) => {
        if (released.length > 0) publishLive(messaging, createEvent("INTERACTION_PENDING", { user_id: userId }, {}));
      })
      .catch((err: unknown) => logger.warn({ err }, "interactions of an ended connection fail"))
      .finally(() => this.#releases.delete(releasing));
    this.#releases.add(releasing);
  }
}

/** Whether interactions may go to a connection; the claim compares the shard with each of them. */
function mayGet({ isBot, state, query }: BotConnection): boolean {
  return isBot && state === "open" && query.version === 2 && query.events?.has("INTERACTION_CREATE") !== false;
}
