import type { FileUrls } from "@parley/auth";
import type { ScheduledEvent } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { toCustomEmoji } from "../../community/emojis/resource.js";
import { toInvite } from "../../community/invites/resource.js";
import { toRoleWithRights } from "../../community/roles/resource.js";
import { toMessage } from "../../conversations/messages/resource.js";
import { attachmentKey, emojiKey } from "../../platform/files/storage/keys.js";
import type { FileStorage } from "../../platform/files/storage/storage.js";
import type { BackgroundQueue } from "../../platform/load/background-queue.js";
import { toRule } from "../../rules/automod-rules/service.js";
import { findBans, listStart } from "../bans/repository.js";
import { exportPageMax } from "./limits.js";
import type { ServerExport } from "./plain-parts.js";
import { exportStart, type findStructure } from "./repository.js";
import {
  type ExportedAttachment,
  findExportedAttachments,
  findImportedPeople,
  findPeople,
  findWholePage,
  type findWholeStructure,
  type WholeMessageRow,
} from "./whole-repository.js";
import { arrayPart, jsonPart, linesPart, type ZipPart } from "./zip-part.js";

type Roles = NonNullable<Awaited<ReturnType<typeof findStructure>>>["roles"];

/** A server at one moment with all that it takes along. */
export interface WholeExport extends Pick<ServerExport, "server" | "channels" | "members">, WholeStructure {
  roleRows: Roles;
  takenAt: Date;
}
type WholeStructure = Awaited<ReturnType<typeof findWholeStructure>>;

/** Where the parts of a whole export are read. */
export interface WholeSources {
  database: Database;
  storage: Pick<FileStorage, "get">;
  /** Reads all pages, because requests are more urgent. */
  pages: BackgroundQueue;
  urls: FileUrls;
}

/** What a whole export contains, for its manifest, before any of it is read. */
export const noCounts = () => ({
  channels: 0,
  roles: 0,
  emoji: 0,
  bans: 0,
  invites: 0,
  automod_rules: 0,
  people: 0,
  messages: 0,
  reactions: 0,
  files: 0,
});

/**
 * The files of a whole export (docs/protocol/communities.md#18.3). In memory is an id of each person and of each message with files.
 *
 * @param counts is filled as the parts are read
 */
export async function* wholeParts(
  content: WholeExport,
  { database, storage, pages, urls }: WholeSources,
  counts: ReturnType<typeof noCounts>,
): AsyncGenerator<ZipPart> {
  const { server, channels, roleRows, everyone, overrides, emojis, invites, rules, onboarding, takenAt } = content;
  const people = new Set<string>([server.owner_id]);
  const withFiles: string[] = [];
  const name = (...ids: readonly (string | null | undefined)[]) => {
    for (const id of ids) if (id != null) people.add(id);
  };

  async function* bans(): AsyncGenerator<string[]> {
    for (let after = listStart; ; ) {
      const rows = await pages.run(() => findBans(database, server.id, after));
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last;
      counts.bans += rows.length;
      for (const row of rows) name(row.user_id, row.banned_by);
      yield rows.map((row) => JSON.stringify(row));
    }
  }

  const note = (row: WholeMessageRow) => {
    const { author_id, pinned_by, mention_user_ids, event, poll, reactions, interaction, forwarded, interested } = row;
    name(author_id, pinned_by, event?.created_by, interaction?.user_id, forwarded?.author?.id, ...mention_user_ids);
    name(...(interested ?? []));
    for (const option of poll?.options ?? []) name(...option.voters);
    for (const reaction of reactions) name(...reaction.people);
    counts.messages += 1;
    counts.reactions += reactions.reduce((sum, reaction) => sum + reaction.people.length, 0);
    counts.files += row.attachments.length;
    if (row.attachments.length > 0) withFiles.push(row.id);
  };

  async function* messages(channelId: string): AsyncGenerator<string[]> {
    for (let after = exportStart, more = true; more; ) {
      const rows = await pages.run(() => findWholePage(database, { channelId, after, until: takenAt }));
      more = rows.length === exportPageMax;
      after = rows.at(-1)?.id ?? after;
      const living = rows.map((row) => (row.deleted ? { ...row, ...nothing } : row));
      for (const row of living) note(row);
      yield living.map((row) => JSON.stringify(toWholeMessage(row, urls)));
    }
  }

  async function* members(): AsyncGenerator<string[]> {
    for await (const page of content.members()) {
      for (const text of page) name(String(Object(JSON.parse(text)).user_id));
      yield page;
    }
  }

  async function* everybody(): AsyncGenerator<string[]> {
    for (let after: string | undefined = exportStart; after !== undefined; ) {
      const from: string = after;
      const ids = await pages.run(() => findImportedPeople(database, server.id, from));
      name(...ids);
      after = ids.at(-1);
    }
    const ids = [...people].sort();
    for (let from = 0; from < ids.length; from += exportPageMax) {
      const asked = ids.slice(from, from + exportPageMax);
      const rows = await pages.run(() => findPeople(database, server.id, asked));
      counts.people += rows.length;
      yield rows.map((row) => JSON.stringify(row));
    }
  }

  const stored = (key: string) =>
    async function* () {
      // A file that the storage has lost is empty.
      yield* (await storage.get(key)) ?? [];
    };

  const roles = [...roleRows, everyone].map(toRoleWithRights);
  const categories = [...new Set(channels.flatMap(({ category }) => category ?? []))];
  Object.assign(counts, { channels: channels.length, roles: roleRows.length, emoji: emojis.length });
  Object.assign(counts, { invites: invites.length, automod_rules: rules.length });
  for (const { user_id } of overrides) name(user_id);
  for (const { created_by } of [...emojis, ...invites, ...rules]) name(created_by);

  yield jsonPart("server.json", server);
  yield jsonPart("channels.json", channels);
  yield jsonPart("roles.json", roles);
  yield arrayPart("members.json", members);
  yield jsonPart(
    "categories.json",
    categories.map((category, position) => ({ name: category, position })),
  );
  yield jsonPart("overrides.json", overrides);
  yield jsonPart(
    "emoji.json",
    emojis.map((row) => ({ ...toCustomEmoji(row), path: emojiPath(row) })),
  );
  yield jsonPart("invites.json", invites.map(toInvite));
  yield jsonPart("automod-rules.json", rules.map(toRule));
  if (onboarding !== null) yield jsonPart("onboarding.json", onboarding);
  yield linesPart("bans.jsonl", bans);
  for (const { id } of channels) yield linesPart(`messages/${id}.jsonl`, () => messages(id));
  yield linesPart("people.jsonl", everybody);
  for (const row of emojis) yield { name: emojiPath(row), content: stored(emojiKey(row.id)) };
  for (let from = 0; from < withFiles.length; from += exportPageMax) {
    const asked = withFiles.slice(from, from + exportPageMax);
    for (const row of await pages.run(() => findExportedAttachments(database, asked))) {
      yield { name: filePath(row), content: stored(attachmentKey(row)) };
    }
  }
}

/** What is left of a deleted root. */
const nothing = {
  ...{ author_id: null, pinned: false, pinned_by: null, pinned_at: null, mention_user_ids: [], webhook: null },
  ...{ event: null, poll: null, interaction: null, forwarded: null, reactions: [], attachments: [], interested: null },
};

/** A message with its people; embeds as they are stored, as signed addresses are of this installation. */
function toWholeMessage(row: WholeMessageRow, urls: FileUrls) {
  const { poll, reactions, attachments, thread, forwarded, interested, ...message } = row;
  const filesOf = (isForward: boolean) =>
    attachments.filter((file) => file.forwarded === isForward).map(toExportedFile);
  return {
    ...toMessage({ ...message, embeds: null, forwarded: null }, null, urls),
    ...(forwarded === null || row.deleted ? {} : { forwarded: { ...forwarded, attachments: filesOf(true) } }),
    event: row.event === null || row.deleted ? null : toWholeEvent(row.event, interested),
    ...(row.embeds === null || row.deleted ? {} : { embeds: row.embeds }),
    poll: poll === null || row.deleted ? null : { ...poll, user_vote: null },
    ...(thread === null ? {} : { thread }),
    reactions,
    attachments: filesOf(false),
  };
}

function toExportedFile(file: ExportedAttachment) {
  const { id, filename, file_size, mime_type, width, height } = file;
  return { id, filename, file_size, mime_type, width, height, path: filePath(file) };
}

const toWholeEvent = ({ interested_count: _, ...event }: ScheduledEvent, interested: string[] | null) => ({
  ...event,
  ...(interested === null ? {} : { interested }),
});

const filePath = ({ id, filename }: Pick<ExportedAttachment, "id" | "filename">) =>
  `files/${id}/${filename.replaceAll(/[^A-Za-z0-9._-]+/g, "_").replaceAll("..", "_")}`;

const emojiPath = ({ id, content_type }: { id: string; content_type: string }) =>
  `emoji/${id}.${content_type.replace(/^.*\//, "")}`;
