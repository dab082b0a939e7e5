import type { Reader } from "../archive.js";
import { checkedArchive } from "./checked-archive.js";
import { readMessages } from "./messages.js";
import { readModeration } from "./moderation.js";
import { OwnEmoji } from "./own-emoji.js";
import { People } from "./people.js";
import { readPlaces } from "./places.js";

/** Reads exports of this service: whole ones with a manifest (section 32.4), and those of section 18 without. */
export const parleyReader: Reader = {
  source: "parley",
  recognises: async (archive) =>
    ["server.json", "channels.json", "roles.json", "members.json"].every((name) => archive.find(name) !== undefined),
  async *read(opened) {
    const archive = await checkedArchive(opened);
    const { server, channels } = yield* readPlaces(archive);
    const people = new People();
    const emoji = new OwnEmoji();
    yield* people.read(archive);
    yield* emoji.read(archive, { server, people });
    yield* readModeration(archive, { server, people });
    // The importer counts messages of a channel that it has not read.
    const written = archive.entries.flatMap(({ name }) => /^messages\/(.+)\.jsonl$/.exec(name)?.[1] ?? []);
    for (const channel of new Set([...channels, ...written])) yield* readMessages(archive, channel, { people, emoji });
  },
};
