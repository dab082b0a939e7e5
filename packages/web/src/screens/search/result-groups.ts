import type { FoundPage } from "@parley/client";
import type { AppState } from "../../state/store/app-state.js";
import { directTitle } from "../groups/direct-title.js";

/** A message that a search found. */
export type Found = FoundPage["results"][number];

/** The results of a server, or of a conversation. */
export interface ResultGroup {
  /** Of the server, or of the conversation. */
  id: string;
  name: string;
  results: Found[];
}

export const serverOf = ({ message }: Found): string | null =>
  "server_id" in message ? (message.server_id ?? null) : null;

/** Where the page shows a found message, below `/app`. */
export function pathOf(found: Found): string {
  const serverId = serverOf(found);
  const { channel_id, id } = found.message;
  return serverId === null ? `/dm/${channel_id}/${id}` : `/servers/${serverId}/channels/${channel_id}/${id}`;
}

/** Groups results by server and conversation; groups and results stay in the order of the results. */
export function groupsOf(
  results: readonly Found[],
  { servers, dmChannels }: Pick<AppState, "servers" | "dmChannels">,
): ResultGroup[] {
  const groups = new Map<string, ResultGroup>();
  for (const found of results) {
    const serverId = serverOf(found);
    const id = serverId ?? found.message.channel_id;
    const conversation = dmChannels.find((channel) => channel.id === id);
    const name =
      serverId === null
        ? conversation === undefined
          ? (found.channel_name ?? "")
          : directTitle(conversation)
        : (servers.find((server) => server.id === id)?.name ?? "");
    const group = groups.get(id) ?? { id, name, results: [] };
    group.results.push(found);
    groups.set(id, group);
  }
  return [...groups.values()];
}
