/**
 * A part of a text: words, or a name that the writer knows only when it has made the person, channel or emoji. Ids are
 * external. `silent` is a name without a mention.
 */
export type TextPart =
  | string
  | { person: string; silent?: true }
  | { channel: string }
  | { emoji: string }
  | { everyone: "everyone" | "here" };

/** Markdown of Parley, in parts; not split yet. Neither U+0000 nor half surrogates. */
export type FormText = TextPart[];

/** Bytes that lie in the archive under this name of an entry. */
export interface FormFile {
  /** Unique in the archive; the argument of Archive.open. Null: the archive has no bytes of it. */
  entry: string | null;
  /** Why it has no bytes, as the report says it; "not in the archive" where left out. */
  missing?: string;
  name: string;
  /** Bytes, as the archive's entry has them, 0 without an entry. */
  size: number;
  description?: string;
  /** It belongs to the message that its message forwards. */
  ofForward?: true;
}

/** A copy of the message that a message forwards, as it was then (section 33.4). */
export interface FormForward {
  /** External ids of the message, its channel and its server; the archive need not have them. */
  message: string;
  channel: string;
  server: string | null;
  /** With its external id, and the names that it had then. */
  author: { id: string; nickname: string | null; display_name?: string | undefined } | null;
  content: string;
  at: number;
}

export interface FormReaction {
  /** Fully-qualified emoji of Unicode, or the external id of an own one. */
  emoji: { unicode: string } | { own: string };
  /** As the source counted; at least the length of `people`. The writer counts those without a name as skipped. */
  count: number;
  /** External ids, in the source's order. */
  people: string[];
}

export interface FormPoll {
  question: string;
  /** Voters by their external ids. */
  options: { text: string; voters: string[] }[];
  multiple: boolean;
  /** Choices that a voter may have, where the archive says how many. */
  choices?: number;
  /** Milliseconds since 1970; null: never. */
  closesAt: number | null;
  /** Votes of people that the archive does not name; the writer counts them as skipped. */
  namelessVotes: number;
}

export interface FormEvent {
  name: string;
  description: string | null;
  /** Milliseconds since 1970. */
  startsAt: number;
  endsAt: number | null;
  location: string | null;
  /** External ids of a voice channel and of interested people; of Parley's own exports only. */
  voiceChannel?: string;
  interested?: string[];
  /** Where it was made before its message. */
  createdAt?: number;
}
