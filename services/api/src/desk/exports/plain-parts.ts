import type { Channel, Role, Server } from "@parley/contracts";
import { arrayPart, jsonPart, linesPart, type ZipPart } from "./zip-part.js";

/** A server at one moment. Long lists are read page by page, in their state of that moment. */
export interface ServerExport {
  server: Server;
  channels: Channel[];
  roles: Role[];
  /** JSON of each member, a page at a time. */
  members(): AsyncGenerator<string[]>;
  /** JSON of each message of a channel, oldest first, a page at a time. */
  messages(channelId: string): AsyncGenerator<string[]>;
}

/** The files of an export without those that were attached. */
export function* plainParts(content: ServerExport): Generator<ZipPart> {
  const { server, channels, roles } = content;
  for (const [name, value] of Object.entries({ server, channels, roles })) yield jsonPart(`${name}.json`, value);
  yield arrayPart("members.json", content.members);
  for (const { id } of channels) yield linesPart(`messages/${id}.jsonl`, () => content.messages(id));
}
