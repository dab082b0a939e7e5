import type { MessageRecord } from "@parley/archives";
import { caps } from "@parley/contracts";
import type { StoredForward } from "../../../conversations/core/forwarded-repository.js";
import type { ReceivedFile } from "../../../platform/files/receive.js";
import { contentLengthMax, idOf } from "../core/texts.js";
import type { SkippedThings } from "../reading/skipped.js";
import type { BatchRows } from "./message-repository.js";
import type { KnownPerson } from "./people-repository.js";
import { cut, pastTime, type Structure } from "./writing.js";

const emojiBytesMax = 64;
const pollOptionsMax = 10;

export const attachmentRow = (
  { stored_name, filename, ...file }: ReceivedFile,
  { messageId, at, index, forwarded }: { messageId: string; at: number; index: number; forwarded: boolean },
) => ({
  id: idOf(at, index),
  message_id: messageId,
  forwarded,
  upload_id: file.folder_id,
  filename,
  stored_name,
  file_size: file.file_size,
  mime_type: file.mime_type,
  width: file.width,
  height: file.height,
  created_at: new Date(at).toISOString(),
});

/** A time in microseconds, which a Date does not have. */
const timeOf = (at: number, micros: number) =>
  new Date(at + Math.floor(micros / 1_000)).toISOString().replace("Z", `${String(micros % 1_000).padStart(3, "0")}Z`);

/** What hangs on a message, and where is noted what has no place. */
export interface Hanging {
  data: MessageRecord;
  id: string;
  at: number;
  left: SkippedThings;
}

/** Each a microsecond after the one before, which keeps the order of people and emoji. */
export function addReactions(
  rows: BatchRows,
  { people, emoji: own }: Structure,
  { data, id, at, left }: Hanging,
): void {
  let index = 0;
  const kinds = new Set<string>();
  for (const { emoji, people: reactors } of data.reactions) {
    const found = "own" in emoji ? own.get(emoji.own)?.id : undefined;
    const text = "unicode" in emoji ? emoji.unicode : found === undefined ? null : `c:${found}`;
    const isKnown = text !== null && Buffer.byteLength(text) <= emojiBytesMax;
    if (!isKnown || kinds.size >= caps.reactions.max) {
      left.add(
        "reaction",
        isKnown ? "the message has as many emoji as it may" : "unknown emoji",
        data.id,
        reactors.length,
      );
      continue;
    }
    kinds.add(text);
    for (const reactor of reactors) {
      const person = people.get(reactor);
      if (person === undefined) {
        left.add("reaction", "people are not in the archive", data.id);
        continue;
      }
      index += 1;
      rows.reactions.push({ message_id: id, emoji: text, user_id: person.id, created_at: timeOf(at, index) });
    }
  }
}

/** A person has as many votes as the poll says: of more the first ones count. */
export function addPoll(
  rows: BatchRows,
  { people }: Structure,
  { data: { poll, id: external }, id, at, left }: Hanging,
): void {
  if (poll === null) return;
  const pollId = idOf(at);
  const votes = new Map<string, BatchRows["votes"][number]>();
  const choices = Math.min(poll.choices ?? 1, pollOptionsMax);
  rows.polls.push({
    ...{ id: pollId, message_id: id, question: cut(poll.question, 500) },
    multiple: poll.choices === undefined ? null : choices,
    ends_at: poll.closesAt === null ? null : new Date(poll.closesAt).toISOString(),
    // The end of a poll that ended elsewhere is no event here.
    end_due_at: poll.closesAt === null || poll.closesAt <= Date.now() ? null : new Date(poll.closesAt).toISOString(),
  });
  for (const [position, { text, voters }] of poll.options.entries()) {
    if (position >= pollOptionsMax) {
      left.add("unknown_record", "option over ten of a poll", external);
      if (voters.length > 0) left.add("poll_vote", "the option did not come", external, voters.length);
      continue;
    }
    const option = idOf(at, position);
    rows.options.push({ id: option, poll_id: pollId, position, text: cut(text, 200) });
    for (const voter of voters) {
      const person = people.get(voter);
      const before = person === undefined ? undefined : votes.get(person.id);
      const reason = person === undefined ? "people are not in the archive" : "a person has no further vote here";
      if (person === undefined || (before !== undefined && before.also.length + 1 >= choices))
        left.add("poll_vote", reason, external);
      else if (before !== undefined) before.also.push(option);
      else votes.set(person.id, { poll_id: pollId, user_id: person.id, option_id: option, also: [] });
    }
  }
  rows.votes.push(...votes.values());
}

export function addEvent(
  rows: BatchRows,
  { channels, people }: Structure,
  {
    data: { event },
    id,
    at,
    channelId,
    author,
  }: { data: MessageRecord; id: string; at: number; channelId: string; author: KnownPerson | undefined },
): void {
  if (event === null) return;
  const eventId = idOf(at);
  rows.events.push({
    id: eventId,
    message_id: id,
    channel_id: channelId,
    name: cut(event.name, 200),
    description: event.description === null ? null : cut(event.description, 2_000) || null,
    starts_at: new Date(event.startsAt).toISOString(),
    ends_at: event.endsAt === null || event.endsAt <= event.startsAt ? null : new Date(event.endsAt).toISOString(),
    place: event.location === null ? null : cut(event.location, 200) || null,
    voice_channel_id: channels.find(({ external }) => external === event.voiceChannel)?.id ?? null,
    created_by: author?.id ?? null,
    created_at: pastTime(event.createdAt ?? at).toISOString(),
  });
  for (const external of event.interested ?? []) {
    const person = people.get(external);
    if (person !== undefined) rows.interests.push({ event_id: eventId, user_id: person.id });
  }
}

/** The copy that a message forwards; ids of channels and people that came along are theirs of now. */
export function forwardOf({ forwarded }: MessageRecord, { channels, people }: Structure): StoredForward | null {
  if (forwarded === undefined) return null;
  const channel = channels.find(({ external }) => external === forwarded.channel);
  const { id = "", nickname = null, display_name } = forwarded.author ?? {};
  const author = people.get(id);
  const names = { nickname, ...(display_name === undefined ? {} : { display_name }) };
  return {
    server_id: channel?.serverId ?? forwarded.server,
    channel_id: channel?.id ?? forwarded.channel,
    message_id: forwarded.message,
    author: author === undefined ? null : { id: author.id, username: author.username, avatar_url: null, ...names },
    content: cut(forwarded.content, contentLengthMax),
    created_at: pastTime(forwarded.at).toISOString(),
  };
}
