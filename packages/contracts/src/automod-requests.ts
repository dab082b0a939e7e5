import { z } from "zod";
import { AutomodRuleType, automodRuleTypes } from "./resources/automod.js";
import { AutomodRuleMatches, AutomodTriggerType } from "./resources/automod-rules.js";
import { uuid } from "./resources/identifiers.js";
import { subjects } from "./subjects.js";

/** The judges of a message: rules of docs/protocol/automod.md#11.2, and all rules of its server (docs/protocol/automod.md#24.8). */
export const AutomodJudgedBy = z.enum([...automodRuleTypes, "server_rules"]);
export type AutomodJudgedBy = z.infer<typeof AutomodJudgedBy>;

/** The facts that a server's own rules read beside the texts. */
const AutomodServerRules = z.object({
  /** Version of the server's rules in the database when the api read it; older rules must not be used. */
  version: z.int(),
  /** Triggers that judge this message, edit or upload. */
  types: z.array(AutomodTriggerType),
  /** Number of distinct mentions; everyone counts 10. */
  mentions: z.int(),
  /** Types of the files that are added, and how many the message has with them. */
  mime_types: z.array(z.string()),
  files: z.int(),
});
export type AutomodServerRules = z.infer<typeof AutomodServerRules>;

/** A message, or the new text of one, as auto-moderation judges it (docs/protocol/automod.md#11.2). */
const AutomodSubmission = z.object({
  /** Identifies this sending in every process, so that repeated judgements have an effect once. */
  judgement_id: uuid,
  server_id: uuid,
  channel_id: uuid,
  user_id: uuid,
  content: z.string(),
  /** The texts for the word filter: first the content, or the question of a poll in place of it. */
  texts: z.array(z.string()),
  /** Rules to apply; they are applied in the order of docs/protocol/automod.md#11.2 whatever their order here. */
  rules: z.array(AutomodJudgedBy),
  /** With `server_rules` among the rules. */
  server_rules: AutomodServerRules.nullish(),
  /** Version of the server's word list in the database when the api read it; an older list must not be used. */
  words_version: z.int(),
});
export type AutomodSubmission = z.infer<typeof AutomodSubmission>;

/** Within this time an identical message counts as a duplicate (docs/protocol/automod.md#11.2, rule 5). */
export const duplicateWindowMs = 30_000;

/**
 * The author's latest messages in the database, read by the api together with the server's settings. Most messages
 * are judged by it without another query; where it is missing, old or inconclusive, the rules query the database.
 */
export const AutomodEvidence = z.object({
  /**
   * CRC-32 of the undeleted messages in the channel, as far back as a duplicate may lie ({@link duplicateWindowMs}).
   */
  recent_texts: z.array(z.int()).nullable(),
  /** Messages in the server within the spam window, deleted ones included. */
  recent_messages: z.int().nullable(),
});
export type AutomodEvidence = z.infer<typeof AutomodEvidence>;

/** May this be stored? */
export const AutomodCheck = AutomodSubmission.extend({
  evidence: AutomodEvidence,
  /** How long ago the evidence was read, at most. */
  evidence_age_ms: z.number(),
  spam_max_messages: z.int(),
  /** Milliseconds that the api waits for the answer; after that it stores the message. */
  answer_within_ms: z.int(),
});
export type AutomodCheck = z.infer<typeof AutomodCheck>;

export const AutomodVerdict = z.object({
  /** The rule that forbids it, if any. */
  blocked_by: AutomodRuleType.nullable(),
  /** Text with which a rule of the server forbids it, if any. */
  refusal: z.string().nullish(),
  /** Rules that can only judge it once it is stored. */
  rules_after: z.array(AutomodJudgedBy),
  /** Identifies the reservations until the message is stored or given up; null for none. */
  ticket: z.string().nullable(),
});
export type AutomodVerdict = z.infer<typeof AutomodVerdict>;

/** A stored message, to be judged by the rules that come after storing and by those that had no answer before it. */
export const AutomodStored = AutomodSubmission.extend({
  message_id: uuid,
  /** That of the check. This request ends its reservation, so no notice follows. */
  ticket: z.string().nullable(),
  spam_max_messages: z.int(),
  spam_window_secs: z.int(),
});
export type AutomodStored = z.infer<typeof AutomodStored>;

/** Whether a rule deleted the message. */
export const AutomodOutcome = z.object({ deleted: z.boolean() });
export type AutomodOutcome = z.infer<typeof AutomodOutcome>;

/** The message of a ticket is stored, or never will be (`message_id` null): its reservation ends. */
export const AutomodSettled = z.object({ ticket: z.string(), message_id: uuid.nullable() });
export type AutomodSettled = z.infer<typeof AutomodSettled>;

/** Which enabled rules of a server would a text match? */
export const AutomodRuleTest = z.object({
  server_id: uuid,
  version: z.int(),
  content: z.string(),
  /** Number of distinct names that the text may mention; everyone counts 10. */
  mentions: z.int(),
});
export type AutomodRuleTest = z.infer<typeof AutomodRuleTest>;

/** Requests between services: subject, body and answer of each. */
export const requests = {
  automodCheck: { subject: subjects.automodCheck, request: AutomodCheck, reply: AutomodVerdict },
  automodStored: { subject: subjects.automodStored, request: AutomodStored, reply: AutomodOutcome },
  automodRuleTest: { subject: subjects.automodRuleTest, request: AutomodRuleTest, reply: AutomodRuleMatches },
} as const;
export type RequestName = keyof typeof requests;
export type RequestBody<N extends RequestName> = z.infer<(typeof requests)[N]["request"]>;
export type RequestReply<N extends RequestName> = z.infer<(typeof requests)[N]["reply"]>;

/** The judgement that a stored message still needs; it travels in a header of the message's event. */
export interface PendingJudgement {
  judgementId: string;
  rules: readonly AutomodJudgedBy[];
}

/** The header's text. */
export function formatPendingJudgement({ judgementId, rules }: PendingJudgement): string {
  return `${judgementId} ${rules.join(",")}`;
}

const PendingText = z
  .string()
  .transform((text) => {
    const [judgementId, rules] = text.split(" ");
    return { judgementId, rules: rules?.split(",") };
  })
  .pipe(z.object({ judgementId: uuid, rules: z.array(AutomodJudgedBy) }));

/** Parses the header; null when it is malformed or of an unknown version. */
export function parsePendingJudgement(text: string): PendingJudgement | null {
  return PendingText.safeParse(text).data ?? null;
}
