import { createEvent } from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";
import { lockServer } from "@parley/moderation";
import type { Outbox } from "@parley/outbox";
import type { Logger } from "@parley/service-runtime";
import type { Voice } from "@parley/voice";
import { appendAudit } from "../../access/audit-log/repository.js";
import { withVoiceCleanup } from "../../voice/voice/with-voice-cleanup.js";
import { deleteServerRow } from "./repository.js";

/**
 * Deletes a server with everything of it; the entry in the audit log survives (docs/protocol/communities.md#5.2).
 *
 * @param actorId the deleting user, whose right was checked
 * @param extraWork does further work in the same transaction
 * @throws ServiceError 404 when it is gone
 */
export type DeleteServer = (
  serverId: string,
  actorId: string,
  extraWork?: (transaction: Transaction, server: { name: string }) => Promise<void>,
) => Promise<void>;

export function createDeleteServer(options: {
  outbox: Outbox<Transaction>;
  voice: Voice;
  logger: Logger;
}): DeleteServer {
  const { outbox, voice, logger } = options;
  return async (serverId, actorId, extraWork = async () => undefined) => {
    const remove = () =>
      outbox.transaction([{ server_id: serverId }], async (transaction, emit) => {
        // The second of two requests at once finds nothing any more.
        await lockServer(transaction, serverId);
        const server = await deleteServerRow(transaction, serverId);
        await appendAudit(transaction, {
          serverId: null,
          actorId,
          action: "server_delete",
          targetId: serverId,
          details: { name: server.name },
        });
        await extraWork(transaction, server);
        emit(createEvent("SERVER_DELETED", { server_id: serverId }, { server_id: serverId }));
      });
    await withVoiceCleanup(logger, () => voice.clearServer(serverId), remove);
  };
}
