import type { AppState } from "../../state/store/app-state.js";
import { texts } from "../../texts/texts.js";
import { directTitle } from "../groups/direct-title.js";

/** A channel or conversation, outside of it. */
export interface NamedPlace {
  name: string;
  path: string;
  /** Null for conversations. */
  serverId: string | null;
}

/** The name and path of a channel or conversation; null when the user does not see it. */
export function placeOf({ channels, servers, dmChannels }: AppState, channelId: string | null): NamedPlace | null {
  const channel = channels[channelId ?? ""];
  if (channel !== undefined) {
    const { id, name, server_id: serverId } = channel;
    const server = servers.find((one) => one.id === serverId)?.name ?? "";
    return { name: texts.inbox.in(name, server), path: `/servers/${serverId}/channels/${id}`, serverId };
  }
  const conversation = dmChannels.find(({ id }) => id === channelId);
  return conversation === undefined
    ? null
    : { name: directTitle(conversation), path: `/dm/${conversation.id}`, serverId: null };
}
