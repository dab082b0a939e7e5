import type { AnyDmChannel } from "@parley/client";
import { shownName } from "../../state/people/bot-name.js";
import { isGroup } from "../../state/store/group-people.js";
import { texts } from "../../texts/texts.js";

/** What a conversation is called: the other one; a group by its name, or by its people. */
export function directTitle(channel: AnyDmChannel): string {
  if (!isGroup(channel)) return channel.recipient.username;
  if (channel.name !== null) return channel.name;
  if (channel.recipients.length === 0) return texts.groups.alone;
  return channel.recipients.map(({ username }) => shownName(username)).join(", ");
}
