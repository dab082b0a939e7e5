import { allRights, errorTexts, invalidInput, notFound } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { resolveAuthor } from "../../conversations/messages/author.js";
import type { AllowedMentions } from "../../conversations/messages/draft.js";
import type { RequireSendContext } from "../../conversations/messages/send-context.js";
import { noEvidence } from "../../rules/automod/evidence.js";
import { findHookContext } from "./repository.js";

/**
 * The context of a message of an incoming webhook, which is no member: it may write where its address leads, mention
 * everybody unless the post restricts it, and does not wait for slow mode (docs/protocol/webhooks.md#25.5).
 */
export function createRequireHookContext({ database }: { database: Database }): RequireSendContext {
  return async ({ authorId, channelId, threadId = null, allowedMentions }, mentions) => {
    const readAt = performance.now();
    const row = await findHookContext(database, { userId: authorId, channelId, threadId, mentions });
    if (row === undefined) throw notFound(errorTexts.webhook_not_found);
    if (threadId !== null && row.root_is_reply === null) throw notFound(errorTexts.message_not_found);
    if (threadId !== null && row.root_is_reply) throw invalidInput(errorTexts.nested_thread);
    const resolved = resolveAuthor(row, mentions, allRights);
    return {
      authorVersion: resolved.authorVersion,
      ...allowed(resolved, allowedMentions),
      serverId: row.server_id,
      author: row.author,
      mayAttach: true,
      answeredAuthorId: null,
      repeatedId: null,
      slowMode: null,
      automod: row.automod,
      automodRules: row.automod_rules,
      evidence: { ...noEvidence, readAt },
    };
  };
}

function allowed(
  { mentionUserIds, mentionEveryone, mentionRoleIds, mentionHere }: ReturnType<typeof resolveAuthor>,
  { users, roles, everyone }: AllowedMentions = { users: true, roles: true, everyone: true },
) {
  const among = (ids: boolean | readonly string[]) => (id: string) =>
    typeof ids === "boolean" ? ids : ids.includes(id);
  return {
    mentionUserIds: mentionUserIds.filter(among(users)),
    mentionEveryone: mentionEveryone && everyone,
    mentionRoleIds: mentionRoleIds.filter(among(roles)),
    mentionHere: mentionHere && everyone,
  };
}
