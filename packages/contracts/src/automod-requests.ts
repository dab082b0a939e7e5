import { z } from "zod";
import { AutomodRuleType } from "./resources/automod.js";
import { uuid } from "./resources/identifiers.js";
import { subjects } from "./subjects.js";

/** A message, or the new text of one, as auto-moderation judges it (docs/interface.md#11.2). */
const AutomodSubmission = z.object({
  /** Identifies this sending in every process, so that repeated judgements have an effect once. */
  judgement_id: uuid,
  server_id: uuid,
  channel_id: uuid,
  user_id: uuid,
  content: z.string(),
  /** The texts for the word filter: first the content, or the question of a poll in place of it. */
  texts: z.array(z.string()),
  /** Rules to apply; they are applied in the order of docs/interface.md#11.2 whatever their order here. */
  rules: z.array(AutomodRuleType),
  /** Version of the server's word list in the database when the api read it; an older list must not be used. */
  words_version: z.int(),
});
export type AutomodSubmission = z.infer<typeof AutomodSubmission>;

/** Within this time an identical message counts as a duplicate (docs/interface.md#11.2, rule 5). */
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
  /** Rules that can only judge it once it is stored. */
  rules_after: z.array(AutomodRuleType),
  /** Identifies what is reserved until the message is stored or given up; null for nothing. */
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

/** Requests between services: subject, body and answer of each. */
export const requests = {
  automodCheck: { subject: subjects.automodCheck, request: AutomodCheck, reply: AutomodVerdict },
  automodStored: { subject: subjects.automodStored, request: AutomodStored, reply: AutomodOutcome },
} as const;
export type RequestName = keyof typeof requests;
export type RequestBody<N extends RequestName> = z.infer<(typeof requests)[N]["request"]>;
export type RequestReply<N extends RequestName> = z.infer<(typeof requests)[N]["reply"]>;

/** One-way messages between services, without a reply; one process of the receiving service gets each. */
export const notices = {
  automodSettled: { subject: subjects.automodSettled, body: AutomodSettled },
} as const;
export type NoticeName = keyof typeof notices;
export type NoticeBody<N extends NoticeName> = z.infer<(typeof notices)[N]["body"]>;

/** What remains to be judged about a stored message; it travels in a header of the message's event. */
export interface PendingJudgement {
  judgementId: string;
  rules: readonly AutomodRuleType[];
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
  .pipe(z.object({ judgementId: uuid, rules: z.array(AutomodRuleType) }));

/** Parses the header; null when it is malformed or of an unknown version. */
export function parsePendingJudgement(text: string): PendingJudgement | null {
  return PendingText.safeParse(text).data ?? null;
}
