import type { InteractionMessage, Message } from "@parley/client";
import type { Interaction, PendingMessage } from "../../../state/store/app-state.js";

/** A row that everybody sees, or will see. */
type HistoryRow =
  | {
      kind: "message";
      key: string;
      message: Message;
      /** Whether it is shown with picture and name: the first of a group of messages of one author. */
      isHead: boolean;
      /** The day that begins here. */
      day: string | null;
      /** Whether the unread messages begin here. */
      isFirstNew: boolean;
    }
  | { kind: "pending"; key: string; pending: PendingMessage; isHead: boolean };

/** A row of a conversation. */
export type Row =
  | HistoryRow
  | { kind: "app"; key: string; interaction: Interaction }
  | { kind: "app"; key: string; ephemeral: InteractionMessage };

/** Consecutive messages of an author within this time form a group under one name. */
const groupMs = 7 * 60_000;

type MessageRow = Extract<HistoryRow, { kind: "message" }>;

/** The last row of each message. A row that has not changed stays the same object, so that it is not rendered again. */
const lastRows = new WeakMap<Message, MessageRow>();

function rowOf(message: Message, place: Pick<MessageRow, "isHead" | "day" | "isFirstNew">): MessageRow {
  const last = lastRows.get(message);
  if (last?.isHead === place.isHead && last.day === place.day && last.isFirstNew === place.isFirstNew) return last;
  const row: MessageRow = { kind: "message", key: message.id, message, ...place };
  lastRows.set(message, row);
  return row;
}

/** When each message was written: all of a history are asked for with every message that comes. */
const times = new WeakMap<Message, { ms: number; day: string }>();

function timeOf(message: Message): { ms: number; day: string } {
  const known = times.get(message);
  if (known !== undefined) return known;
  const date = new Date(message.created_at);
  const time = { ms: date.getTime(), day: date.toDateString() };
  times.set(message, time);
  return time;
}

/** The rows of a history, followed by the messages that are being sent. */
export function conversationRows(
  messages: readonly Message[],
  pending: readonly PendingMessage[],
  firstNewId: string | null,
  myId: string,
): HistoryRow[] {
  const rows: HistoryRow[] = [];
  let before: Message | null = null;
  let dayBefore = "";
  for (const message of messages) {
    const { day } = timeOf(message);
    const isNewDay = day !== dayBefore;
    const isFirstNew = message.id === firstNewId;
    const isHead = isNewDay || isFirstNew || hasLineAbove(message) || !belongTogether(before, message);
    rows.push(rowOf(message, { isHead, day: isNewDay ? message.created_at : null, isFirstNew }));
    before = message;
    dayBefore = day;
  }
  const last = messages.at(-1);
  for (const [index, sent] of pending.entries()) {
    const isHead = index === 0 && (last === undefined || last.author_id !== myId || sent.replyTo !== null);
    rows.push({ kind: "pending", key: sent.nonce, pending: sent, isHead });
  }
  return rows;
}

/**
 * Adds rows that only the user sees: answers of bots at their time, if they belong to the part of the history that is
 * read, and requests to bots at the end.
 */
export function withAppRows(
  rows: readonly HistoryRow[],
  { hasOlder, hasNewer }: { hasOlder: boolean; hasNewer: boolean },
  ephemeral: readonly InteractionMessage[],
  interactions: readonly Interaction[],
): readonly Row[] {
  const ids = rows.flatMap((row) => (row.kind === "message" ? [row.message.id] : []));
  const [oldest = ""] = ids;
  const newest = ids.at(-1) ?? "";
  const shown = ephemeral.filter(({ id }) => !(hasOlder && id < oldest) && !(hasNewer && id > newest));
  const asked = hasNewer ? [] : interactions.filter(({ pressed }) => pressed === null);
  if (shown.length === 0 && asked.length === 0) return rows;
  let placed = 0;
  const placeUntil = (row: HistoryRow | null) => {
    const before = shown.slice(placed).filter(({ id }) => row?.kind !== "message" || id < row.message.id);
    placed += before.length;
    return before.map((message) => ({ kind: "app" as const, key: message.id, ephemeral: message }));
  };
  const merged = rows.flatMap((row): Row[] => {
    const before = placeUntil(row);
    // A group of messages of one author goes on with the author's name.
    return before.length === 0 ? [row] : [...before, { ...row, isHead: true }];
  });
  const last = asked.map((interaction) => ({ kind: "app" as const, key: interaction.key, interaction }));
  return [...merged, ...placeUntil(null), ...last];
}

/** Whether the row has a line above it with the message or interaction that it answers. */
const hasLineAbove = ({ reply_to, interaction }: Message): boolean => reply_to !== null || interaction !== undefined;

function belongTogether(before: Message | null, message: Message): boolean {
  return (
    before !== null &&
    before.author_id !== null &&
    before.author_id === message.author_id &&
    // A webhook may give every message another name.
    before.webhook?.name === message.webhook?.name &&
    timeOf(message).ms - timeOf(before).ms < groupMs
  );
}
