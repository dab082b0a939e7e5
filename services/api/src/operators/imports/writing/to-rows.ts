import type { MessageRecord } from "@parley/archives";
import { embedsInput } from "@parley/contracts";
import { storedParts } from "../../../conversations/messages/embeds.js";
import { eventContent } from "../../../conversations/scheduled-events/schema.js";
import type { ReceivedFile } from "../../../platform/files/receive.js";
import type { MessagePosition } from "../core/repository.js";
import { contentLengthMax, idOf, lengthAtMost, messagesOf, type Names, renderText, splitText } from "../core/texts.js";
import { coming, comingOwn, type JudgedFile } from "../reading/read-archive.js";
import type { SkippedThings } from "../reading/skipped.js";
import { addEvent, addPoll, addReactions, attachmentRow, forwardOf } from "./hanging.js";
import type { BatchRecord, BatchRows, MessageRow } from "./message-repository.js";
import type { KnownPerson } from "./people-repository.js";
import { cut, type MadeChannel, type Structure } from "./writing.js";

const filenamesMax = 3_900;

/** Files of messages as they are stored. */
export type Stored = ReadonlyMap<JudgedFile, ReceivedFile>;

/** The rows of a batch of messages. @returns also how many ids the last millisecond has, and how many messages the batch is */
export function toRows(
  structure: Structure,
  {
    channel,
    batch,
    stored,
    further,
    position,
    left,
  }: {
    channel: MadeChannel;
    batch: readonly BatchRecord[];
    stored: Stored;
    /** Ids of further parts that are stored already, by their external ids. */
    further: ReadonlyMap<string, string>;
    position: MessagePosition;
    left: SkippedThings;
  },
): { rows: BatchRows; used: number; messages: number } {
  const rows: BatchRows = {
    messages: [],
    known: [],
    reactions: [],
    attachments: [],
    polls: [],
    options: [],
    votes: [],
    events: [],
    interests: [],
    roots: [],
    mentions: [],
    counts: [],
  };
  const names = namesOf(structure);
  const ids = new Map<string, string>();
  const counts = new Map<string, number>();
  let { at, used } = position;
  let messages = 0;
  for (const record of batch) {
    const { data } = record;
    if (record.at !== at) [at, used] = [record.at, 0];
    const own = comingOwn(data.files);
    const files = own.flatMap((file) => stored.get(file) ?? []);
    const text = textOf(data, names, record.has_files ? own.length : files.length);
    const mentions = data.mentions?.people.flatMap((id) => structure.people.get(id)?.id ?? []) ?? text.mentions;
    const parts = messagesOf(text.content, files.length);
    const author = data.author === null ? undefined : structure.people.get(data.author);
    let file = 0;
    messages += parts.length;
    for (const [index, part] of parts.entries()) {
      const known = index === 0 ? record.known : (further.get(partKey(record, index)) ?? null);
      const id = known ?? idOf(at, used + record.others);
      used += 1;
      const row = toRow(structure, { record, channel, author, id, index, content: part.content });
      if (index === 0) {
        row.mention_user_ids = mentions;
        row.mention_role_ids = data.mentions?.roles.flatMap((role) => structure.roles.get(role)?.id ?? []) ?? [];
        row.mention_everyone = text.everyone;
        row.mention_here = text.here;
        if (record.target !== null || data.replyTo !== null)
          row.reply_to = record.target ?? ids.get(data.replyTo ?? "") ?? null;
      }
      if (known === null) rows.messages.push(row);
      else rows.known.push(row);
      if (index === 0 && known === null) ids.set(record.external_id, id);
      for (const [place, received] of files.slice(file, file + part.files).entries())
        rows.attachments.push(attachmentRow(received, { messageId: id, at, index: place, forwarded: false }));
      file += part.files;
    }
    const id = record.known ?? ids.get(record.external_id) ?? "";
    addReactions(rows, structure, { data, id, at, left });
    const copied = structure.people.get(data.forwarded?.author?.id ?? "");
    for (const named of new Set([...mentions, ...(copied === undefined ? [] : [copied.id])])) {
      const person = structure.accounts.get(named);
      if (person !== undefined) rows.mentions.push({ person_id: person.person_id, message_id: id });
    }
    if (record.known !== null) continue;
    if (author !== undefined) counts.set(author.person_id, (counts.get(author.person_id) ?? 0) + parts.length);
    if (record.root !== null && data.thread !== null) rows.roots.push({ id: record.root, external_id: data.thread });
    for (const [index, forwarded] of coming(data.files).entries()) {
      const received = forwarded.ofForward === true ? stored.get(forwarded) : undefined;
      if (received !== undefined)
        rows.attachments.push(attachmentRow(received, { messageId: id, at, index, forwarded: true }));
    }
    addPoll(rows, structure, { data, id, at, left });
    addEvent(rows, structure, { data, id, at, channelId: channel.id, author });
  }
  rows.counts = [...counts].map(([id, count]) => ({ id, messages: count }));
  return { rows, used, messages };
}

const namesOf = (structure: Structure): Names => ({
  person: (id) => structure.people.get(id),
  channel: (id) => structure.channelNames.get(id),
  emoji: (id) => structure.emoji.get(id)?.name,
});

/** External id of a part of a message. */
const partKey = ({ external_id }: BatchRecord, index: number) =>
  index === 0 ? external_id : `${external_id}#${index}`;

/** External ids of the parts that newer forms of long messages have. */
export function furtherKeys(structure: Structure, batch: readonly BatchRecord[]): string[] {
  return batch
    .filter(({ known, data }) => known !== null && lengthAtMost(data.text) > contentLengthMax)
    .flatMap((record) =>
      splitText(renderText(record.data.text, namesOf(structure)).content).map((_, index) => partKey(record, index)),
    );
}

/** A message that has nothing else keeps the names of its files as its text. */
function textOf(data: MessageRecord, names: Names, files: number) {
  const text = renderText(data.text, names);
  if (data.deleted === true) return { ...text, content: "" };
  if (/\S/u.test(text.content) || files > 0 || data.embeds.length > 0 || data.forwarded !== undefined) return text;
  const content =
    data.poll?.question ??
    (data.event === null ? undefined : eventContent(data.event.name)) ??
    data.files
      .map(({ name }) => name)
      .join("\n")
      .slice(0, filenamesMax);
  return { ...text, content: content === "" ? "…" : content };
}

function toRow(
  structure: Structure,
  {
    record,
    channel,
    author,
    id,
    index,
    content,
  }: {
    record: BatchRecord;
    channel: MadeChannel;
    author: KnownPerson | undefined;
    id: string;
    index: number;
    content: string;
  },
): MessageRow {
  const { data } = record;
  const isFirst = index === 0;
  const pinned = isFirst ? data.pinned : null;
  const embeds = isFirst && data.embeds.length > 0 ? embedsInput.safeParse(data.embeds).data : null;
  const app = storedParts({ embeds });
  const time = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  return {
    key: partKey(record, index),
    id,
    channel_id: channel.id,
    server_id: channel.serverId,
    author_id: author?.id ?? null,
    content,
    reply_to: null,
    thread_id: record.root,
    mention_user_ids: [],
    mention_everyone: false,
    mention_role_ids: [],
    mention_here: false,
    edited_at: time(data.editedAt),
    deleted: data.deleted === true,
    pinned: pinned !== null,
    pinned_by: pinned?.by == null ? null : (structure.people.get(pinned.by)?.id ?? null),
    pinned_at: pinned === null ? null : time(pinned.at ?? data.at),
    embeds: app.embeds,
    embed_texts: app.embed_texts,
    webhook:
      data.webhookName === undefined || author === undefined
        ? null
        : { id: author.id, name: cut(data.webhookName, 80), avatar_url: null },
    interaction: isFirst ? interactionOf(data, structure) : null,
    forwarded: isFirst ? forwardOf(data, structure) : null,
  };
}

function interactionOf({ interaction }: MessageRecord, { people }: Structure) {
  const user = interaction === undefined ? undefined : people.get(interaction.person);
  if (interaction === undefined || user === undefined) return null;
  return { id: interaction.id, user_id: user.id, name: cut(interaction.name, 100) };
}
