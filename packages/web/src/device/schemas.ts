import type { SearchFilterName } from "@parley/contracts";
import { languageOf } from "../texts/languages.js";

/** Reads a value that an earlier visit has stored; a missing value, or one of another type, becomes the usual value. */
export type Schema<Value> = (found: unknown) => Value;

/** One of the words. */
export const oneOf =
  <Word extends string, const Usual>(words: readonly Word[], usual: Usual): Schema<Word | Usual> =>
  (found) =>
    words.find((word) => word === found) ?? usual;

/** Any text; null without one. */
export const textOrNull: Schema<string | null> = (found) => (typeof found === "string" ? found : null);

const textOr = (found: unknown, usual: string): string => (typeof found === "string" ? found : usual);
const flagOr = (found: unknown, usual: boolean): boolean => (typeof found === "boolean" ? found : usual);
const fieldsOf = (found: unknown): [string, unknown][] => Object.entries(Object(found));
const objectOf = (found: unknown): Record<string, unknown> => Object.fromEntries(fieldsOf(found));

/** Entries by id; those that `schema` refuses with null are left out. */
export const recordOf =
  <Value>(schema: Schema<Value | null>): Schema<Readonly<Record<string, Value>>> =>
  (found) =>
    Object.fromEntries(
      fieldsOf(found).flatMap(([id, entry]): [string, Value][] => {
        const value = schema(entry);
        return value === null ? [] : [[id, value]];
      }),
    );

/** The colours that a person chose; "system" follows the device. */
export type Theme = ReturnType<typeof themeOf>;
/** Reads a theme's name. */
export const themeOf = oneOf(["dark", "light"], "system");

/** The user's choice of a language; "browser" follows the browser's languages. */
export type LanguageChoice = ReturnType<typeof languageChoiceOf>;
/** Reads the choice of a language. */
export const languageChoiceOf = (found: unknown) => languageOf(textOrNull(found)) ?? "browser";

/** The role of a beginner in a server: its owner, or a member who has just joined. */
export type Beginner = "owner" | "member";

/** Pairs of texts, as a map. */
export const textMap: Schema<Map<string, string>> = (found) =>
  new Map(
    (Array.isArray(found) ? found : []).flatMap((pair: unknown): [string, string][] => {
      const [key, value]: unknown[] = Array.isArray(pair) ? pair : [];
      return typeof key === "string" && typeof value === "string" ? [[key, value]] : [];
    }),
  );

/** How loud one participant is for oneself. */
export interface PersonSound {
  /** Percent, 0 to 100. */
  readonly volume: number;
  readonly isMuted: boolean;
}

/** A participant whose sound was not changed. */
export const usualSound: PersonSound = { volume: 100, isMuted: false };

const percent = (found: unknown): number =>
  typeof found === "number" && found >= 0 && found <= 100 ? found : usualSound.volume;

const personSound = (found: unknown): PersonSound => {
  const { volume, isMuted } = objectOf(found);
  return { volume: percent(volume), isMuted: isMuted === true };
};

/** Settings of an account for calls. */
export interface VoiceSettings {
  /** Ids of devices; "" for the one that the system prefers. */
  readonly microphoneId: string;
  readonly cameraId: string;
  readonly outputId: string;
  readonly noiseSuppression: boolean;
  readonly echoCancellation: boolean;
  readonly autoGainControl: boolean;
  /** Volume of everybody together: percent, 0 to 100. */
  readonly volume: number;
  /** By user; those without an entry are as loud as they are. */
  readonly people: Readonly<Record<string, PersonSound>>;
  /** The microphone is open only while the user presses the key or the button. */
  readonly isPushToTalk: boolean;
  /** `KeyboardEvent.code` of the key. */
  readonly talkKey: string;
}

/** Reads settings for calls. */
export const voiceSettings: Schema<VoiceSettings> = (found) => {
  const kept = objectOf(found);
  return {
    microphoneId: textOr(kept.microphoneId, ""),
    cameraId: textOr(kept.cameraId, ""),
    outputId: textOr(kept.outputId, ""),
    noiseSuppression: flagOr(kept.noiseSuppression, true),
    echoCancellation: flagOr(kept.echoCancellation, true),
    autoGainControl: flagOr(kept.autoGainControl, true),
    volume: percent(kept.volume),
    people: recordOf(personSound)(kept.people),
    isPushToTalk: flagOr(kept.isPushToTalk, false),
    // It writes nothing, so the user can keep it pressed while they write a message.
    talkKey: textOr(kept.talkKey, "F8"),
  };
};

/** A skin tone of Unicode, as it is written after an emoji; "" leaves emoji as they are. */
export const tones = ["", "🏻", "🏼", "🏽", "🏾", "🏿"] as const;
export type Tone = (typeof tones)[number];

/** How often and how recently an emoji was used. */
export interface EmojiUse {
  /** The sign of an emoji, as in `Emoji.sign`. */
  readonly sign: string;
  /** Uses until `at`; older ones count less. */
  readonly score: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Settings of an account for emoji. */
export interface EmojiSettings {
  readonly tone: Tone;
  /** The most used one first. */
  readonly uses: readonly EmojiUse[];
}

/** The used emoji that are remembered at most. */
export const usesMax = 60;

/** Reads settings for emoji. */
export const emojiSettings: Schema<EmojiSettings> = (found) => {
  const { tone, uses } = objectOf(found);
  return {
    tone: oneOf(tones, "")(tone),
    uses: (Array.isArray(uses) ? uses : []).filter(isUse).slice(0, usesMax),
  };
};

function isUse(found: unknown): found is EmojiUse {
  const { sign, score, at } = objectOf(found);
  return typeof sign === "string" && typeof score === "number" && typeof at === "number";
}

/** The place of an unsent text, the time of its last change, and whether the server has that change. */
export interface DraftMark {
  readonly channelId: string;
  readonly threadId: string | null;
  readonly at: string;
  readonly isSent: boolean;
}

/** Reads a {@link DraftMark}; null for anything else. */
export const draftMarkOf: Schema<DraftMark | null> = (found) => {
  const { channelId, threadId, at, isSent } = objectOf(found);
  if (typeof channelId !== "string" || typeof at !== "string") return null;
  return { channelId, threadId: textOrNull(threadId), at, isSent: isSent === true };
};

/** A search of before: its filters, and the words beside them. */
export interface RecentSearch {
  readonly chips: readonly { readonly name: SearchFilterName; readonly value: string; readonly id: string | null }[];
  readonly text: string;
}

const filterName = oneOf<SearchFilterName, null>(
  ["from", "mentions", "in", "server", "has", "before", "after", "on", "is"],
  null,
);

/** The searches that are remembered at most. */
export const recentSearchesMax = 6;

/** Reads searches, the last one first. */
export const recentSearches: Schema<readonly RecentSearch[]> = (found) =>
  (Array.isArray(found) ? found : []).slice(0, recentSearchesMax).map((each: unknown) => {
    const { chips, text } = objectOf(each);
    return {
      text: textOr(text, ""),
      chips: (Array.isArray(chips) ? chips : []).flatMap((chip: unknown) => {
        const { name, value, id } = objectOf(chip);
        const known = filterName(name);
        return known === null ? [] : [{ name: known, value: textOr(value, ""), id: textOrNull(id) }];
      }),
    };
  });
