import type { Archive, Reader } from "./archive.js";
import { discordReader } from "./discord/reader.js";
import { mattermostReader } from "./mattermost/reader.js";
import { parleyReader } from "./parley/reader.js";
import { rocketchatReader } from "./rocketchat/reader.js";
import { slackReader } from "./slack/reader.js";
import { zulipReader } from "./zulip/reader.js";

/** The readers of all sources, in the order in which they are asked. */
export const readers: readonly Reader[] = [
  parleyReader,
  discordReader,
  slackReader,
  mattermostReader,
  rocketchatReader,
  zulipReader,
];

/** The reader of the source that an archive came from; null for an unknown format. */
export async function recogniseReader(archive: Archive): Promise<Reader | null> {
  for (const reader of readers) if (await reader.recognises(archive)) return reader;
  return null;
}
