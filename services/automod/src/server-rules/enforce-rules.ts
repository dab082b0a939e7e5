import type { AutomodLogEntry, AutomodRuleAction } from "@parley/contracts";
import { type Database, defineStatement, type Transaction } from "@parley/database";
import { type Operation, runOperation } from "@parley/messaging";
import {
  banUser,
  deleteMessage,
  kickMember,
  recordReport,
  storeTimeout,
  type WithVoiceCleanup,
} from "@parley/moderation";
import type { Emit, Outbox } from "@parley/outbox";
import { z } from "zod";
import type { RuleMatch } from "./judge-rules.js";

/** The content that rules matched, and its place. */
export interface RuleViolation {
  judgementId: string;
  serverId: string;
  /** Null for names. */
  channelId: string | null;
  userId: string;
  /** The text that is logged. */
  text: string;
  /** The stored message; null for one that was refused, and for names. */
  messageId: string | null;
  files: number;
}

const factsStatement = defineStatement({
  name: "automod_rule_facts",
  text: "SELECT s.owner_id, u.username, u.is_webhook FROM servers s LEFT JOIN users u ON u.id = $2 WHERE s.id = $1",
  row: z.object({ owner_id: z.string(), username: z.string().nullable(), is_webhook: z.boolean().nullable() }),
});

/** If the channel has been deleted, the entry is written without it. */
const logStatement = defineStatement({
  name: "automod_rule_log",
  text: `INSERT INTO automod_logs (server_id, channel_id, user_id, username, rule_type, action_taken, message_content,
      matched_term, message_id, judgement_id, rule_id)
    VALUES ($1, (SELECT id FROM channels WHERE id = $2), $3, $4, $5, $6, $7, $8, $9, $10, $11)
    ON CONFLICT DO NOTHING`,
});

const enforcement: Operation = {
  name: "rules of auto-moderation",
  causes: [
    "MESSAGE_DELETE",
    "EVENT_DELETE",
    "MEMBER_KICK",
    "MEMBER_BAN",
    "MEMBER_LEAVE",
    "SERVER_LEAVE",
    "COMMANDS_UPDATE",
    "VOICE_STATE_UPDATE",
    "GO_LIVE_STOP",
    "REPORT_CREATE",
    "REPORT_UPDATE",
  ],
};

/** The gravest first: the one that the log names. */
const gravity = ["ban", "kick", "timeout", "delete", "block", "flag"] as const;

/**
 * Takes the actions of the rules that matched (docs/protocol/automod.md#24.8). Idempotent: each rule is logged once for a
 * judgement, and its actions are committed with the log entry.
 *
 * @returns whether the stored message was deleted, and the actions that were taken
 */
export type EnforceRules = (
  offence: RuleViolation,
  matches: readonly RuleMatch[],
) => Promise<{ isDeleted: boolean; taken: AutomodLogEntry["action_taken"][] }>;

export function createEnforceRules(options: {
  database: Database;
  outbox: Outbox;
  withVoiceCleanup: WithVoiceCleanup;
}): EnforceRules {
  const { database, outbox, withVoiceCleanup } = options;

  const enforceOne = async (offence: RuleViolation, match: RuleMatch, author: Author) => {
    const { serverId, channelId, userId, messageId } = offence;
    const { rule, term } = match;
    const actions = actionsOf(match, author.spared);
    const [gravest] = gravity.filter((type) => actions.some((action) => action.type === type));
    // The owner's name breaks a rule that only removes.
    if (gravest === undefined) return null;
    const logAndAct = async (transaction: Transaction, emit: Emit) => {
      const logged = await transaction.execute(logStatement, [
        serverId,
        channelId,
        userId,
        author.username,
        rule.trigger.type,
        gravest,
        offence.text,
        term,
        messageId,
        offence.judgementId,
        rule.id,
      ]);
      if (logged === 0) return null;
      for (const action of actions) await act(transaction, emit, { action, offence, match, ownerId: author.ownerId });
      return gravest;
    };
    const place = { server_id: serverId };
    // Removals are ordered with the events of the server, and end the author's voice before.
    if (gravest === "kick" || gravest === "ban")
      return withVoiceCleanup({ serverId, userId }, () => outbox.transaction([place], logAndAct));
    return outbox.transaction([place], logAndAct);
  };

  return (offence, matches) =>
    runOperation(enforcement, async () => {
      const { serverId, channelId, userId, messageId } = offence;
      const [facts] = await database.query(factsStatement, [serverId, userId]);
      // The server has been deleted, with its messages.
      if (facts === undefined) return { isDeleted: false, taken: [] };
      const { owner_id: ownerId, username } = facts;
      const spared = facts.is_webhook === true ? notForWebhooks : ownerId === userId ? notForOwners : [];
      const isDeleted =
        messageId !== null &&
        matches.some((match) =>
          // A message that should have been blocked was stored, as nobody answered in time.
          actionsOf(match, spared).some(({ type }) => type === "delete" || type === "block"),
        );
      // Before the author is removed: clients receive the message's deletion before the author's removal.
      if (isDeleted) {
        const place = { server_id: serverId, channel_id: channelId ?? undefined };
        await outbox.transaction([place], (transaction, emit) => deleteMessage(transaction, emit, messageId));
      }
      const taken: AutomodLogEntry["action_taken"][] = [];
      // Without the account there is no user for the log entry or the action.
      for (const match of username === null ? [] : matches) {
        const action = await enforceOne(offence, match, { ownerId, username: username ?? "", spared });
        if (action !== null) taken.push(action);
      }
      return { isDeleted, taken };
    });
}

/** Actions that some authors are spared, whose message is deleted instead (docs/protocol/automod.md#11.3). */
type Spared = readonly AutomodRuleAction["type"][];
const notForOwners: Spared = ["kick", "ban"];
/** Incoming webhooks are no members. */
const notForWebhooks: Spared = ["kick", "ban", "timeout"];

/** The author of the matched content. */
interface Author {
  ownerId: string;
  username: string;
  spared: Spared;
}

function actionsOf({ rule }: RuleMatch, spared: Spared): AutomodRuleAction[] {
  const kept = rule.actions.filter(({ type }) => !spared.includes(type));
  const isSpared = kept.length < rule.actions.length && rule.trigger.type !== "name";
  return isSpared && !kept.some(({ type }) => type === "block" || type === "delete")
    ? [...kept, { type: "delete" }]
    : kept;
}

async function act(
  transaction: Transaction,
  emit: Emit,
  on: { action: AutomodRuleAction; offence: RuleViolation; match: RuleMatch; ownerId: string },
): Promise<void> {
  const { action, offence, match, ownerId } = on;
  const { serverId, userId } = offence;
  const removal = { serverId, userId, reason: `Auto-moderation: ${match.rule.trigger.type}` };
  switch (action.type) {
    case "block":
    case "delete":
      return;
    case "flag":
      await recordReport(transaction, emit, { target: targetOf(offence), reporterId: null, reason: removal.reason });
      return;
    case "timeout":
      // Not bound to the switch of docs/protocol/automod.md#11, which these rules do not depend on; without an event, as there.
      await storeTimeout(transaction, { ...removal, minutes: action.minutes, createdBy: ownerId, automatic: false });
      return;
    case "kick":
      await kickMember(transaction, emit, removal);
      return;
    case "ban":
      await banUser(transaction, emit, { ...removal, bannedBy: ownerId });
      return;
  }
}

/** A message that was refused has no id of its own: the judgement stands for it. */
function targetOf({ serverId, channelId, userId, messageId, judgementId, text, files }: RuleViolation) {
  const reported = { serverId, authorId: userId, content: text };
  return channelId === null
    ? ({ ...reported, type: "member", id: userId } as const)
    : ({ ...reported, type: "message", channelId, id: messageId ?? judgementId, attachments: files } as const);
}
