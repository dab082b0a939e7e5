import { qualifiedEmoji } from "@parley/contracts";
import type { Archive } from "../archive.js";
import { cleanName, cleanText } from "../clean-text.js";
import { emptyMessage } from "../empty-message.js";
import type { ArchiveRecord, MessageRecord, SkippedRecord } from "../form.js";
import type { FormEvent, FormForward, FormPoll, FormReaction } from "../form-parts.js";
import { skipped } from "../skipped.js";
import { isBlankText } from "../text-parts.js";
import { parleyEmbeds } from "./embeds.js";
import { parsedRecords } from "./entries.js";
import type { OwnEmoji } from "./own-emoji.js";
import type { People } from "./people.js";
import {
  messageSchema,
  type ParleyAttachment,
  type ParleyEvent,
  type ParleyForward,
  type ParleyMessage,
  type ParleyPoll,
  type ParleyReaction,
} from "./schema.js";
import { parleyText } from "./text.js";

const ownEmoji = "c:";

/** What messages of an export name. */
export interface Named {
  people: People;
  emoji: OwnEmoji;
}

/** The messages of a channel, with the people whom only they name. */
export async function* readMessages(archive: Archive, channel: string, named: Named): AsyncGenerator<ArchiveRecord> {
  for await (const found of parsedRecords(archive, `messages/${channel}.jsonl`, messageSchema)) {
    if (found.kind === "skipped") yield found;
    else {
      const {
        author_id,
        pinned_by,
        mention_user_ids = [],
        reactions = [],
        poll,
        event,
        interaction,
        forwarded,
      } = found.value;
      const voters = poll?.options.flatMap((option) => option.voters ?? []) ?? [];
      const reactors = reactions.flatMap(({ people }) => people);
      yield* named.people.strangers(
        author_id,
        pinned_by,
        interaction?.user_id,
        forwarded?.author?.id,
        ...mention_user_ids,
        ...voters,
        ...(event?.interested ?? []),
        ...reactors,
      );
      yield* toRecords(archive, channel, found.value, named);
    }
  }
}

function* toRecords(
  archive: Archive,
  channel: string,
  message: ParleyMessage,
  { people, emoji }: Named,
): Generator<MessageRecord | SkippedRecord> {
  const { id, author_id: author, created_at: at, edited_at: editedAt, thread_id, webhook, interaction } = message;
  const own: MessageRecord = {
    ...emptyMessage({ id, channel, at, version: editedAt ?? at }),
    author,
    editedAt,
    replyTo: message.reply_to,
    thread: thread_id === id ? null : thread_id,
    pinned: message.pinned === true ? { at: message.pinned_at, by: message.pinned_by } : null,
  };
  const { title = null, closed } = message.thread ?? {};
  if (title !== null) own.threadTitle = cleanName(title);
  if (closed === true) own.threadClosed = true;
  if (message.deleted === true) {
    yield { ...own, author: null, deleted: true };
    return;
  }
  own.text = textOf(message, { people, emoji });
  const mentions = { people: message.mention_user_ids ?? [], roles: message.mention_role_ids ?? [] };
  if (mentions.people.length + mentions.roles.length > 0) own.mentions = mentions;
  own.embeds = parleyEmbeds(message.embeds ?? []);
  if (message.components !== undefined) yield skipped("unknown_record", "buttons and menus of a bot", id);
  if (webhook && author !== null) own.webhookName = cleanName(webhook.name);
  if (interaction) own.interaction = { id: interaction.id, name: interaction.name, person: interaction.user_id };
  if (message.forwarded) own.forwarded = forwardOf(message.forwarded);
  if (message.poll) own.poll = pollOf(message.poll);
  if (message.event) {
    own.event = eventOf(message.event);
  }
  own.files = (message.attachments ?? []).map((file) => fileOf(archive, file));
  for (const file of message.forwarded?.attachments ?? [])
    own.files.push({ ...fileOf(archive, file), ofForward: true });
  for (const reaction of message.reactions ?? []) {
    const found = reactionOf(reaction, emoji);
    if (found !== null) own.reactions.push(found);
    else yield skipped("reaction", "unknown emoji", reaction.emoji, Math.max(reaction.people.length, 1));
  }
  const hasParts = own.embeds.length > 0 || own.files.length > 0 || own.poll !== null || own.event !== null;
  if (isBlankText(own.text) && !hasParts && !own.forwarded) yield skipped("message", "empty", id);
  else yield own;
}

function textOf(message: ParleyMessage, { people, emoji }: Named) {
  const { content, mention_everyone: everyone = false, mention_here: here = false } = message;
  const mentioned = new Map(
    (message.mention_user_ids ?? []).flatMap((person) => {
      const name = people.nameOf(person);
      return name === undefined ? [] : [[name, person] as const];
    }),
  );
  return parleyText({ content, mentioned, everyone, here }, emoji.byName);
}

function forwardOf({ message_id, channel_id, server_id, author, content, created_at }: ParleyForward): FormForward {
  const ids = { message: message_id, channel: channel_id, server: server_id };
  return { ...ids, author: author ?? null, content, at: created_at };
}

function fileOf(archive: Archive, { filename: name, file_size, path }: ParleyAttachment) {
  const found = archive.find(path);
  // A file that the storage had lost is empty.
  const isWhole = found !== undefined && found.size === file_size;
  return { entry: isWhole ? found.name : null, name, size: isWhole ? found.size : 0 };
}

function reactionOf({ emoji, people }: ParleyReaction, known: OwnEmoji): FormReaction | null {
  const counted = { count: people.length, people };
  if (emoji.startsWith(ownEmoji)) {
    const own = emoji.slice(ownEmoji.length);
    return known.ids.has(own) ? { emoji: { own }, ...counted } : null;
  }
  return { emoji: { unicode: qualifiedEmoji(emoji) ?? emoji }, ...counted };
}

function eventOf({ name, description, place: location, created_at: createdAt, ...event }: ParleyEvent): FormEvent {
  const { starts_at: startsAt, ends_at: endsAt, voice_channel_id: voiceChannel, interested } = event;
  return {
    ...{ name: cleanName(name) || "event", description, startsAt, endsAt, location },
    ...(voiceChannel === null ? {} : { voiceChannel }),
    ...(interested === undefined ? {} : { interested }),
    ...(createdAt === null ? {} : { createdAt }),
  };
}

const pollOf = ({ question, options, multiple, ends_at: closesAt }: ParleyPoll): FormPoll => ({
  question: cleanText(question),
  options: options.map(({ text, voters = [] }) => ({ text: cleanText(text), voters })),
  multiple: multiple !== undefined && multiple > 1,
  ...(multiple === undefined ? {} : { choices: multiple }),
  closesAt,
  namelessVotes: options.reduce((sum, { votes, voters }) => sum + (voters === undefined ? votes : 0), 0),
});
