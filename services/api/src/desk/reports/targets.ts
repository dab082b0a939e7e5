import { errorTexts, invalidInput, notFound } from "@parley/contracts";
import type { Queryable } from "@parley/database/prisma";
import type { ReportTarget } from "@parley/moderation";
import { declare, viewing } from "../../access/needs.js";
import { findServerAccess } from "../../access/repository.js";
import { findServer } from "../../community/servers/repository.js";
import { countAttachments } from "../../conversations/attachments/repository.js";
import { requireDirectMessage } from "../../conversations/direct-messages/participants-repository.js";
import { requireMessage } from "../../conversations/messages/require-message.js";
import { findLivingAccounts } from "../../people/users/repository.js";
import type { May } from "../../platform/http/may.js";

/** The target of a report, and its reporter. */
export interface ReportSubmission {
  reporterId: string;
  target: ReportTarget;
}

/** The right to report something, with the checks of docs/protocol/moderation.md#24.5 in their order. */
export type MayReport = May<{ id: string }, { access(): Promise<ReportSubmission> }>;

const reportable = (
  declared: Pick<MayReport, "right" | "errors">,
  find: (connection: Queryable, reporterId: string, id: string) => Promise<ReportTarget>,
): MayReport => ({
  ...declared,
  ask: ({ database }, { userId: reporterId, params }) => ({
    access: async () => ({ reporterId, target: await find(database, reporterId, params.id) }),
  }),
});

export const mayReportMessage = reportable(
  declare("channel", [viewing], [errorTexts.message_not_found]),
  async (connection, reporterId, id) => {
    const { found } = await requireMessage(connection, reporterId, { id });
    const { server_id: serverId, channel_id: channelId, author_id: authorId, content } = found;
    if (authorId === reporterId) throw invalidInput(errorTexts.cannot_report_own_message);
    const attachments = await countAttachments(connection, "channel", id);
    return { type: "message", id, serverId, channelId, authorId, content, attachments };
  },
);

export const mayReportDirectMessage = reportable(
  declare("conversation", [], [errorTexts.message_not_found]),
  async (connection, reporterId, id) => {
    const { found } = await requireDirectMessage(connection, id, reporterId);
    if (found.author_id === reporterId) throw invalidInput(errorTexts.cannot_report_own_message);
    const attachments = await countAttachments(connection, "direct", id);
    return { type: "dm_message", id, authorId: found.author_id, content: found.content, attachments };
  },
);

export const mayReportUser = reportable(
  { right: "everybody", errors: { not_found: [errorTexts.user_not_found] } },
  async (connection, reporterId, id) => {
    const [account] = await findLivingAccounts(connection, [id]);
    if (account === undefined) throw notFound(errorTexts.user_not_found);
    if (id === reporterId) throw invalidInput(errorTexts.cannot_report_yourself);
    return { type: "user", id, authorId: id, content: account.username };
  },
);

/** The existence of a private server does not leak to strangers. */
export const mayReportServer = reportable(
  { right: "member of the server, or everybody of a public one", errors: { not_found: [errorTexts.server_not_found] } },
  async (connection, reporterId, id) => {
    const access = await findServerAccess(connection, id, reporterId);
    const server = access && (await findServer(connection, id));
    if (server === null || !(server.is_public || access?.isMember)) throw notFound(errorTexts.server_not_found);
    if (server.owner_id === reporterId) throw invalidInput(errorTexts.cannot_report_own_server);
    return { type: "server", id, authorId: server.owner_id, content: server.name };
  },
);
