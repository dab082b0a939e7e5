import type { FileUrls } from "@parley/auth";
import { createEvent, type InteractionState } from "@parley/contracts";
import type { Database, Queryable } from "@parley/database/prisma";
import { type InteractionRow, markAnnounced } from "@parley/interactions";
import { type Messaging, publishLive } from "@parley/messaging";
import { createBatcher, type Logger } from "@parley/service-runtime";
import { findMessage } from "../../conversations/messages/repository.js";
import { toOneMessage } from "../../conversations/messages/resource.js";
import { statementBatchMax, statementsInFlightMax } from "./limits.js";

/** How an interaction stands, as it goes over the wire (docs/protocol/apps.md#25.3). */
export async function toState(connection: Queryable, row: InteractionRow, urls: FileUrls): Promise<InteractionState> {
  const { id, state, answer, message_id } = row;
  const stored = message_id === null ? null : await findMessage(connection, message_id);
  return {
    id,
    state,
    message:
      stored === null
        ? (answer?.message ?? null)
        : await toOneMessage(connection, stored, { viewerId: row.user_id, urls }),
    modal: answer?.modal ?? null,
    choices: answer?.choices ?? null,
  };
}

/** Whom a state is announced to. */
type StateAddress = Pick<InteractionRow, "id" | "user_id" | "server_id" | "invoker_stays">;

/**
 * Sends the state of an interaction to its invoker, if they are still there, and notes that it was announced. Without
 * the note, the next sweep of any process announces it again.
 */
export function createAnnounceState(options: { database: Database; messaging: Messaging; logger: Logger }) {
  const { database, messaging, logger } = options;
  const note = createBatcher({
    batchMax: statementBatchMax,
    inFlightMax: statementsInFlightMax,
    async work(states: readonly { id: string; state: string }[]) {
      await markAnnounced(database, states);
      return states;
    },
  });
  return ({ user_id, server_id, invoker_stays }: StateAddress, state: InteractionState): void => {
    if (!messaging.connected) return;
    if (invoker_stays)
      publishLive(messaging, createEvent("INTERACTION_UPDATE", { user_id }, state, { shard_of: server_id }));
    note(state).catch((err: unknown) => logger.warn({ err }, "a state of an interaction is announced again"));
  };
}

export type AnnounceState = ReturnType<typeof createAnnounceState>;
