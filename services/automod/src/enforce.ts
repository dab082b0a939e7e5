import { AutomodAction, type AutomodRuleType, type AutomodSubmission } from "@parley/contracts";
import { type Database, defineStatement, type Queryable, type Transaction } from "@parley/database";
import { type Operation, runOperation } from "@parley/messaging";
import { banUser, deleteMessage, kickMember, storeTimeout, type WithVoiceCleanup } from "@parley/moderation";
import type { Emit, Outbox } from "@parley/outbox";
import { z } from "zod";
import type { Match } from "./judge.js";

/**
 * Takes the action that a match requires against the message and its author, and writes the log entry
 * (docs/protocol/automod.md#11.3). Idempotent: a judgement is logged once, and its action is committed with the log entry.
 *
 * @param messageId the stored message; null when the message was refused
 * @returns the action that was taken, null when an earlier call had taken it
 */
export type Enforce = (
  submission: AutomodSubmission,
  match: Match,
  messageId: string | null,
) => Promise<AutomodAction | null>;

const EnforcementContext = z.object({
  owner_id: z.string(),
  username: z.string().nullable(),
  is_webhook: z.boolean().nullable(),
  word_filter_action: AutomodAction.nullable(),
  spam_action: AutomodAction.nullable(),
  timeout_minutes: z.int().nullable(),
});
type EnforcementContext = z.infer<typeof EnforcementContext>;

const factsStatement = defineStatement({
  name: "automod_enforcement_facts",
  text: `SELECT s.owner_id, u.username, u.is_webhook, a.word_filter_action, a.spam_action, a.timeout_minutes
    FROM servers s
    LEFT JOIN users u ON u.id = $2
    LEFT JOIN automod_configs a ON a.server_id = s.id
    WHERE s.id = $1`,
  row: EnforcementContext,
});

/** If the channel has been deleted, the entry is written without it. */
const logStatement = defineStatement({
  name: "automod_log",
  text: `INSERT INTO automod_logs (server_id, channel_id, user_id, username, rule_type, action_taken, message_content,
      matched_term, message_id, judgement_id)
    VALUES ($1, (SELECT id FROM channels WHERE id = $2), $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT DO NOTHING`,
});

const enforcement: Operation = {
  name: "auto-moderation",
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
  ],
};

export function createEnforce(options: {
  database: Database;
  outbox: Outbox;
  withVoiceCleanup: WithVoiceCleanup;
}): Enforce {
  const { database, outbox, withVoiceCleanup } = options;

  const deleteStored = async (transaction: Transaction, emit: Emit, messageId: string | null) => {
    if (messageId !== null) await deleteMessage(transaction, emit, messageId);
  };

  const enforce: Enforce = async (submission, match, messageId) => {
    const { server_id: serverId, channel_id, user_id: userId } = submission;
    const channel = { server_id: serverId, channel_id };
    const [facts] = await database.query(factsStatement, [serverId, userId]);
    // The server has been deleted, with its messages.
    if (facts === undefined) return null;
    const { username } = facts;
    const deleteAlone = () =>
      outbox.transaction([channel], (transaction, emit) => deleteStored(transaction, emit, messageId));
    if (username === null) {
      // The account of the author has been deleted: there is no user for the log entry or the action.
      await deleteAlone();
      return null;
    }
    const action = actionOf(match.rule, facts, userId);
    const log = (connection: Queryable) =>
      connection.execute(logStatement, [
        serverId,
        channel_id,
        userId,
        username,
        match.rule,
        action,
        match.text,
        match.term,
        messageId,
        submission.judgement_id,
      ]);
    const logAndAct = async (transaction: Transaction, emit: Emit) => {
      if ((await log(transaction)) === 0) return null;
      await act(transaction, emit, { action, serverId, userId, rule: match.rule, facts });
      return action;
    };

    // A refused message has no row and no event, so only the log entry is written.
    if (action === "delete" && messageId === null) return (await log(database)) === 0 ? null : action;
    if (action === "kick" || action === "ban") {
      // In a transaction of its own, before the author is removed: clients receive the message's deletion before the
      // author's removal (docs/protocol/automod.md#11.2), and the author leaves voice before the transaction that removes
      // them.
      await deleteAlone();
      return withVoiceCleanup({ serverId, userId }, () => outbox.transaction([{ server_id: serverId }], logAndAct));
    }
    return outbox.transaction([channel], async (transaction, emit) => {
      await deleteStored(transaction, emit, messageId);
      return logAndAct(transaction, emit);
    });
  };
  return (...judged) => runOperation(enforcement, () => enforce(...judged));
}

/** The configured action; the owner is never removed from their server, and incoming webhooks are no members of it. */
function actionOf(rule: AutomodRuleType, facts: EnforcementContext, userId: string): AutomodAction {
  const configured = { duplicate: "delete" as const, word_filter: facts.word_filter_action, spam: facts.spam_action };
  const action = configured[rule] ?? "delete";
  if (facts.is_webhook === true) return "delete";
  return facts.owner_id === userId && (action === "kick" || action === "ban") ? "delete" : action;
}

async function act(
  transaction: Transaction,
  emit: Emit,
  on: { action: AutomodAction; serverId: string; userId: string; rule: AutomodRuleType; facts: EnforcementContext },
): Promise<void> {
  const { action, serverId, userId, facts } = on;
  const removal = { serverId, userId, reason: `Auto-moderation: ${on.rule}` };
  switch (action) {
    case "delete":
      return;
    case "timeout":
      // Without an event for members: only manual timeouts are announced (docs/protocol/automod.md#11.3).
      await storeTimeout(transaction, {
        ...removal,
        minutes: facts.timeout_minutes ?? 0,
        createdBy: facts.owner_id,
        automatic: true,
      });
      return;
    case "kick":
      await kickMember(transaction, emit, removal);
      return;
    case "ban":
      await banUser(transaction, emit, { ...removal, bannedBy: facts.owner_id });
      return;
  }
}
