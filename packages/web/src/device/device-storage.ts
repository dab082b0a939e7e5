import {
  type Beginner,
  draftMarkOf,
  emojiSettings,
  languageChoiceOf,
  oneOf,
  recentSearches,
  recordOf,
  type Schema,
  textMap,
  textOrNull,
  themeOf,
  voiceSettings,
} from "./schemas.js";

/** A value that outlives the page on this device; all tabs of the browser have it. */
export interface DeviceEntry<Value> {
  readonly read: () => Value;
  readonly write: (value: Value) => void;
  /** Calls the listener after every change in another tab; returns a function that ends that. */
  readonly follow: (listener: () => void) => () => void;
}

/** An entry whose text `parse` and `format` know; null stands for no entry. */
function entry<Value>(
  name: string,
  parse: (kept: string | null) => Value,
  format: (value: Value) => string | null,
  storage: () => Storage = () => localStorage,
): DeviceEntry<Value> {
  const key = `parley.${name}`;
  return {
    read: () => parse(storage().getItem(key)),
    write(value) {
      const text = format(value);
      if (text === null) storage().removeItem(key);
      else storage().setItem(key, text);
    },
    follow(listener) {
      // Without a key everything was cleared.
      const onStorage = (event: StorageEvent) => {
        if (event.key === key || event.key === null) listener();
      };
      addEventListener("storage", onStorage);
      return () => removeEventListener("storage", onStorage);
    },
  };
}

const text = <Value extends string | null>(name: string, schema: Schema<Value>) =>
  entry(name, schema, (value) => value);

const json = <Value>(name: string, schema: Schema<Value>) =>
  entry(name, (kept) => schema(parsed(kept)), JSON.stringify);

function parsed(kept: string | null): unknown {
  try {
    return JSON.parse(kept ?? "null");
  } catch {
    return null;
  }
}

/** One of two words; the second one is true. */
const flag = (name: string, words: readonly [off: string, on: string], usual: boolean) =>
  entry(
    name,
    (kept) => (words.some((word) => word === kept) ? kept === words[1] : usual),
    (isOn) => words[isOn ? 1 : 0],
  );

export const theme = text("theme", themeOf);
export const languageChoice = text("language", languageChoiceOf);
/** Why the last session ended without a logout: its end elsewhere or by time, or the account is disabled; null after a logout. */
export const sessionEnd = text("ended", oneOf<"ended" | "disabled", null>(["ended", "disabled"], null));
/** Whether this device is to show notifications. */
export const notificationsWanted = flag("notifications", ["off", "on"], false);
/** The id of this device among those that pushes go to; null when none do. */
export const pushId = text("push", textOrNull);
export const membersShown = flag("members", ["hidden", "shown"], true);
/** Whether messages are shown beside the stage of a voice channel. */
export const voiceChatShown = flag("voice-chat", ["hidden", "shown"], false);
/** The servers that were made or joined on this device and whose first steps are still shown. */
export const firstSteps = json("first-steps", recordOf(oneOf<Beginner, null>(["owner", "member"], null)));
/** The path that was open last. */
export const lastPath = text("last.path", textOrNull);
/** The channel that was open last in a server. */
export const lastChannel = (serverId: string) => text(`last.${serverId}`, textOrNull);
/** Whether a category of a server's channels is folded. */
export const categoryFolded = (serverId: string, category: string | null) =>
  entry(
    `collapsed.${serverId}.${category}`,
    (kept) => kept !== null,
    (isFolded) => (isFolded ? "" : null),
  );
/**
 * The server that an invite led to, or was made for, on this device; null for another one. The API's preview of an
 * invite does not have the id of its server.
 */
export const serverOfInvite = (code: string) => text(`invite.${code}`, textOrNull);
export const voiceSettingsFor = (userId: string) => json(`voice.${userId}`, voiceSettings);
export const emojiSettingsFor = (userId: string) => json(`emoji.${userId}`, emojiSettings);
const searches = "searches.";
/** The last searches of an account. */
export const recentSearchesFor = (userId: string) => json(`${searches}${userId}`, recentSearches);
/** The version for which this tab has loaded itself again. */
export const reloadedVersion = entry(
  "reloaded",
  textOrNull,
  (version) => version,
  () => sessionStorage,
);

const drafts = "draft.";
const draftMentions = "draft-mentions.";
const draftMarks = "draft-mark.";

/** The unsent text of a channel or thread; "" when there is none. */
export const draft = (id: string) =>
  entry(
    drafts + id,
    (kept) => kept ?? "",
    (value) => value || null,
  );

/** The usernames of those whom the unsent text of a channel or thread mentions by other names, by these names. */
export const mentionsOfDraft = (id: string) =>
  entry(
    draftMentions + id,
    (kept) => textMap(parsed(kept)),
    (mentions) => (mentions.size === 0 ? null : JSON.stringify([...mentions])),
  );

/** Where the unsent text of a channel or thread belongs, when it was changed, and whether the server has it; null without one. */
export const draftMark = (id: string) =>
  entry(
    draftMarks + id,
    (kept) => draftMarkOf(parsed(kept)),
    (mark) => (mark === null ? null : JSON.stringify(mark)),
  );

/** The ids of the channels and threads whose unsent texts have a {@link draftMark}. */
export const keptDrafts = (): string[] =>
  Object.keys(localStorage).flatMap((key) =>
    key.startsWith(`parley.${draftMarks}`) ? [key.slice(`parley.${draftMarks}`.length)] : [],
  );

/** Removes all unsent texts and searches, as another user may log in next. */
export function forgetTyped(): void {
  for (const key of Object.keys(localStorage)) {
    if ([drafts, draftMentions, draftMarks, searches].some((part) => key.startsWith(`parley.${part}`)))
      localStorage.removeItem(key);
  }
}
