import type { ClientEventName } from "@parley/contracts";
import { isAskedFor, type Place } from "./intents.js";
import { translations } from "./translations.js";

/** The frequent events, which change no member, account, channel or right. */
const changeNothing: ReadonlySet<string> = new Set<ClientEventName>([
  "INTERACTION_CREATE",
  "MESSAGE_CREATE",
  "MESSAGE_UPDATE",
  "MESSAGE_DELETE",
  "MESSAGE_DELETE_BULK",
  "THREAD_MESSAGE_CREATE",
  "THREAD_UPDATE",
  "THREAD_START",
  "ATTACHMENT_CREATE",
  "MESSAGE_PREVIEWS",
  "AUDIT_LOG_ENTRY_CREATE",
  "EVENT_INTEREST_ADD",
  "EVENT_INTEREST_REMOVE",
  "POLL_VOTE_ADD",
  "POLL_VOTE_REMOVE",
  "REACTION_ADD",
  "REACTION_REMOVE",
  "MESSAGE_PIN",
  "MESSAGE_UNPIN",
  "DM_MESSAGE_CREATE",
  "DM_MESSAGE_UPDATE",
  "DM_MESSAGE_DELETE",
  "DM_REACTION_ADD",
  "DM_REACTION_REMOVE",
  "DM_ATTACHMENT_CREATE",
  "TYPING_START",
  "PRESENCE_UPDATE",
  "VOICE_STATE_UPDATE",
]);

/** Whether rows that were read before an event of our gateway may be others now. */
export const mayChangeRows = (event: string): boolean => !changeNothing.has(event);

const bothPlaces: readonly Place[] = ["guild", "direct"];

/** The events of our gateway that a session with these intents needs. */
export function eventsFor(intents: number): string[] {
  return Object.entries(translations).flatMap(([name, { of, becomes }]) => {
    const places: readonly Place[] = of === "any channel" ? bothPlaces : [of === "direct" ? of : "guild"];
    const isAsked = becomes.some((t) => places.some((place) => isAskedFor(intents, t, place)));
    return isAsked || mayChangeRows(name) ? [name] : [];
  });
}
