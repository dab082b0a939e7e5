import { errorTexts, forbidden, notFound } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { hasRight } from "@parley/permissions";
import type { z } from "zod";
import { type MentionCandidates, mentionCandidates, resolveMentions } from "../../rules/mentions/mentions.js";
import { type authorRow, findEditContext } from "./author-repository.js";

/**
 * The members that the text mentions, in order of first mention, and the author's version, which has to be the same
 * when the text is stored.
 *
 * @param rights the author's, as a sum of `rightBits`: without `mention_everyone` the text mentions no more than members and
 * mentionable roles
 * @throws ServiceError 403 while the author is timed out (docs/protocol/moderation.md#10.3)
 */
export function resolveAuthor(
  { timed_out, author_version, mentioned, named_roles }: z.infer<typeof authorRow>,
  mentions: MentionCandidates,
  rights: number,
) {
  if (timed_out) throw forbidden(errorTexts.timed_out);
  const mayMentionAll = hasRight(rights, "mention_everyone");
  const resolved = resolveMentions(
    mentions,
    new Map(mentioned.map((user) => [user.username, user.id])),
    named_roles.filter(({ mentionable }) => mentionable || mayMentionAll),
  );
  return {
    authorVersion: author_version,
    mentionUserIds: resolved.userIds,
    mentionEveryone: resolved.everyone && mayMentionAll,
    mentionRoleIds: resolved.roleIds,
    mentionHere: resolved.here && mayMentionAll,
  };
}

/**
 * Reads the mentions, the author's version and the auto-moderation settings for an edit.
 *
 * @throws ServiceError 403 while the author is timed out (docs/protocol/moderation.md#10.3), 404 when the server is gone by now
 */
export async function requireEditContext(
  database: Database,
  { userId, serverId, rights, content }: { userId: string; serverId: string; rights: number; content: string },
) {
  const mentions = mentionCandidates(content);
  const row = await findEditContext(database, { serverId, userId, mentions });
  if (row === undefined) throw notFound(errorTexts.message_not_found);
  return { ...resolveAuthor(row, mentions, rights), automod: row.automod, automodRules: row.automod_rules };
}
