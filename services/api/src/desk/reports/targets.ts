import { errorTexts, invalidInput, notFound } from "@parley/contracts";
import type { Queryable } from "@parley/database/prisma";
import type { ReportTarget } from "@parley/moderation";
import { findServerAccess } from "../../access/repository.js";
import { findServer } from "../../community/servers/repository.js";
import { countAttachments } from "../../conversations/attachments/repository.js";
import { requireDirectMessage } from "../../conversations/direct-messages/participants-repository.js";
import { requireMessage } from "../../conversations/messages/require-message.js";
import { findLivingAccounts } from "../../people/users/repository.js";

/** Reads what somebody reports, with the checks of docs/interface.md#24.5 in their order. */
type FindTarget = (connection: Queryable, reporterId: string, id: string) => Promise<ReportTarget>;

export const findReportedMessage: FindTarget = async (connection, reporterId, id) => {
  const { row } = await requireMessage(connection, reporterId, { id });
  const { server_id: serverId, channel_id: channelId, author_id: authorId, content } = row;
  if (authorId === reporterId) throw invalidInput(errorTexts.cannot_report_own_message);
  const attachments = await countAttachments(connection, "channel", id);
  return { type: "message", id, serverId, channelId, authorId, content, attachments };
};

export const findReportedDirectMessage: FindTarget = async (connection, reporterId, id) => {
  const { row } = await requireDirectMessage(connection, id, reporterId);
  if (row.author_id === reporterId) throw invalidInput(errorTexts.cannot_report_own_message);
  const attachments = await countAttachments(connection, "direct", id);
  return { type: "dm_message", id, authorId: row.author_id, content: row.content, attachments };
};

export const findReportedUser: FindTarget = async (connection, reporterId, id) => {
  const [account] = await findLivingAccounts(connection, [id]);
  if (account === undefined) throw notFound(errorTexts.user_not_found);
  if (id === reporterId) throw invalidInput(errorTexts.cannot_report_yourself);
  return { type: "user", id, authorId: id, content: account.username };
};

/** The existence of a private server does not leak to those who are no members. */
export const findReportedServer: FindTarget = async (connection, reporterId, id) => {
  const access = await findServerAccess(connection, id, reporterId);
  const server = access && (await findServer(connection, id));
  if (server === null || !(server.is_public || access?.isMember)) throw notFound(errorTexts.server_not_found);
  if (server.owner_id === reporterId) throw invalidInput(errorTexts.cannot_report_own_server);
  return { type: "server", id, authorId: server.owner_id, content: server.name };
};
