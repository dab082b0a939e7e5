import { type AnyMessage, errorTexts } from "@parley/contracts";
import type { Database, Queryable } from "@parley/database/prisma";
import { asked, type CallerRight } from "../../access/asked.js";
import { declare, requireAll, viewing } from "../../access/needs.js";
import { findChannelAccess } from "../../access/repository.js";
import type { May } from "../../platform/http/may.js";
import type { DetailSelection } from "../core/details.js";
import type { MessageAccess, ReadChannel } from "../core/kind.js";
import type { DirectMessages } from "../direct-messages/message-service.js";
import { requireDirectMessage, requireParticipants } from "../direct-messages/participants-repository.js";
import type { MessageDetails } from "../messages/details.js";
import { findMessage } from "../messages/repository.js";
import { requireMessage } from "../messages/require-message.js";
import { findReadable } from "./repository.js";

/** Messages of channels and direct messages, by the id alone. */
export type FindAnyMessages = (ids: readonly string[], userId: string) => Promise<Map<string, AnyMessage>>;

/** @param options.details of each kind */
export function createFindAnyMessages(options: {
  database: Database;
  channel: MessageDetails;
  direct: DirectMessages["details"];
}): FindAnyMessages {
  const { database } = options;
  return async (ids, viewerId) => {
    const found = await findReadable(database, ids, viewerId);
    const wanted: DetailSelection = { viewerId, include: ["author", "attachments"] };
    const [channel, direct] = await Promise.all([
      options.channel(found.channel, wanted),
      options.direct(found.direct, wanted),
    ]);
    return new Map([...channel, ...direct].map((message) => [message.id, message]));
  };
}

/**
 * The right to read a message of a channel or a direct message. A change of it is one of the caller's alone.
 */
export const mayReadAny: May<{ message_id: string }, CallerRight<MessageAccess>> = {
  ...declare("conversation", [viewing], [errorTexts.message_not_found]),
  ask: (stores, { userId, params: { message_id: id } }) =>
    asked(stores, {
      judge: (connection) => requireAnyMessage(connection, id, userId),
      scopesOf: () => [{ user_id: userId }],
    }),
};

/** The right to read a channel of a server or of direct messages. A change of it is one of the caller's alone. */
export const mayReadAnyChannel: May<{ channel_id: string }, CallerRight<ReadChannel>> = {
  ...declare("conversation", [viewing], [errorTexts.channel_not_found]),
  ask: (stores, { userId, params: { channel_id: id } }) =>
    asked(stores, {
      async judge(connection) {
        const access = await findChannelAccess(connection, id, userId);
        if (access === null) await requireParticipants(connection, id, userId, errorTexts.channel_not_found);
        else requireAll(access, [viewing]);
        return { userId, channel: { id } };
      },
      scopesOf: () => [{ user_id: userId }],
    }),
};

async function requireAnyMessage(connection: Queryable, id: string, userId: string): Promise<MessageAccess> {
  const isOfChannel = (await findMessage(connection, id)) !== null;
  return isOfChannel ? requireMessage(connection, userId, { id }) : requireDirectMessage(connection, id, userId);
}
