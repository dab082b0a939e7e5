import { AutomodEvidence } from "@parley/contracts";

/** Shape of `automodEvidenceColumn`. */
export const automodEvidence = AutomodEvidence.nullable();

/** The author's latest messages in the database. */
export interface Evidence extends AutomodEvidence {
  /** When they were read, by `performance.now()`. */
  readAt: number;
}

/** Evidence that clears nothing, so the rules query the database. */
export const noEvidence: AutomodEvidence = { recent_texts: null, recent_messages: null };
