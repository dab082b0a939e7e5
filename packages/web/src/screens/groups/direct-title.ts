import type { AnyDmChannel } from "@parley/client";
import { personName } from "../../state/people/bot-name.js";
import { isGroup } from "../../state/store/group-people.js";
import { texts } from "../../texts/texts.js";

/** The title of a conversation: the other user's name; a group's own name, or those of its members. */
export function directTitle(channel: AnyDmChannel): string {
  if (!isGroup(channel)) return personName(channel.recipient);
  if (channel.name !== null) return channel.name;
  if (channel.recipients.length === 0) return texts.groups.alone;
  return channel.recipients.map(personName).join(", ");
}
