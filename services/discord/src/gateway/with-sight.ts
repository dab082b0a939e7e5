import type { ClientEventName, EventPayload } from "@parley/contracts";
import type { Reader } from "./reader.js";
import type { Of } from "./translation-of.js";

/** The same, followed by the channels that come into or out of the bot's sight with it. */
export const withSight = <Name extends ClientEventName>(
  concerns: (d: EventPayload<Name>, reader: Reader) => boolean,
  translation: Of<Name>,
): Of<Name> => ({
  ...translation,
  becomes: [...translation.becomes, "CHANNEL_CREATE", "THREAD_LIST_SYNC", "CHANNEL_DELETE"],
  needs: (event, needs) => {
    translation.needs?.(event, needs);
    if (concerns(event.d, needs.reader)) needs.guilds.add(event.place.serverId ?? "");
  },
  make: (event, found, reader) => {
    const made = translation.make(event, found, reader);
    const { serverId } = event.place;
    const guild = found.it.guilds.get(serverId ?? "");
    if (serverId === null || guild === undefined || !concerns(event.d, reader)) return made;
    return [...made, ...reader.sight.follow(serverId, guild)];
  },
});
