import { z } from "zod";
import { AutomodRuleType } from "./resources/automod.js";
import { uuid } from "./resources/identifiers.js";
import { subjects } from "./subjects.js";

/** A message, or the new text of one, in the eyes of auto-moderation (contract 11.2). */
const Submission = z.object({
  /** Names this act of sending in every process, so that it is judged once in effect however often it is looked at. */
  judgement_id: uuid,
  server_id: uuid,
  channel_id: uuid,
  user_id: uuid,
  content: z.string(),
  /** What the word filter reads, the content or its own words first. */
  texts: z.array(z.string()),
  /** Rules to apply; they are applied in the order of contract 11.2 whatever their order here. */
  rules: z.array(AutomodRuleType),
  /** The server's word list as the sender saw it: an older one must not decide. */
  words_version: z.int(),
});

/** May this be stored? */
export const AutomodCheck = Submission;
export type AutomodCheck = z.infer<typeof AutomodCheck>;

/** The rule that forbids it, if any. With `reserved` the sender says when it has stored the message or given up. */
export const AutomodVerdict = z.object({ blocked_by: AutomodRuleType.nullable(), reserved: z.boolean() });
export type AutomodVerdict = z.infer<typeof AutomodVerdict>;

/** This was stored; judge it by the rules that come after, and by those that could not be asked before. */
export const AutomodStored = Submission.extend({
  message_id: uuid,
  /** What the check reserved ends with this: no notice follows. */
  reserved: z.boolean(),
  spam_max_messages: z.int(),
  spam_window_secs: z.int(),
});
export type AutomodStored = z.infer<typeof AutomodStored>;

/** Whether a rule deleted the message. */
export const AutomodOutcome = z.object({ deleted: z.boolean() });
export type AutomodOutcome = z.infer<typeof AutomodOutcome>;

/** What was cleared is stored by now, or never will be: identical messages need not wait for it any more. */
export const AutomodSettled = AutomodCheck.pick({ judgement_id: true, channel_id: true, user_id: true, content: true });
export type AutomodSettled = z.infer<typeof AutomodSettled>;

/** Requests between services: where they go, what they say, what comes back. */
export const requests = {
  automodCheck: { subject: subjects.automodCheck, request: AutomodCheck, reply: AutomodVerdict },
  automodStored: { subject: subjects.automodStored, request: AutomodStored, reply: AutomodOutcome },
} as const;
export type RequestName = keyof typeof requests;
export type RequestBody<N extends RequestName> = z.infer<(typeof requests)[N]["request"]>;
export type RequestReply<N extends RequestName> = z.infer<(typeof requests)[N]["reply"]>;

/** Notices between services that nobody answers; one process of the receiving service gets each. */
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

/** Reads the header; null when it says nothing that this version understands. */
export function parsePendingJudgement(text: string): PendingJudgement | null {
  return PendingText.safeParse(text).data ?? null;
}
