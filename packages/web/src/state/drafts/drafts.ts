import type { Draft, DraftUpdateEvent, ParleyClient } from "@parley/client";
import { draftMark, draft as draftText, keptDrafts, mentionsOfDraft } from "../../device/device-storage.js";
import type { KeptDraft } from "../store/app-state.js";
import type { AppStore } from "../store/app-store.js";

/** Where a draft is written: in a channel or conversation, or in a thread by its root message. */
export interface DraftPlace {
  channelId: string;
  threadId: string | null;
}

/**
 * The drafts of the user, on all of their devices (docs/protocol/later.md#33.4). The device keeps each text, and whether
 * the server has it; of two devices the later change counts.
 */
export interface Drafts {
  /** Reads the drafts of the server after each READY, and sends those that it does not have. */
  read(): Promise<void>;
  /** To be called for each change in this tab; it is sent after a pause. */
  changed(place: DraftPlace, content: string, replyTo: string | null): void;
  /** Deletes a draft that is not open. */
  drop(place: DraftPlace): void;
  /** DRAFT_UPDATE, also of a change of this tab. */
  received(event: DraftUpdateEvent): void;
  close(): void;
}

/** A change is sent after a pause in writing, or this long after the first one that was not sent. */
const pauseMs = 1_500;
const waitMsMax = 5_000;

interface Waiting {
  place: DraftPlace;
  content: string;
  replyTo: string | null;
  at: string;
  since: number;
  timer: ReturnType<typeof setTimeout>;
}

const keyOf = ({ channelId, threadId }: DraftPlace): string => threadId ?? channelId;

/** Makes {@link Drafts}. */
export function createDrafts(client: ParleyClient, store: AppStore): Drafts {
  const waiting = new Map<string, Waiting>();
  /** When each draft was changed last, as far as this tab knows. */
  const newest = new Map<string, string>();
  /** The drafts that the server has. */
  const onServer = new Set<string>();

  const put = (key: string, kept: KeptDraft) =>
    store.setState((state) => ({ drafts: { ...state.drafts, [key]: kept } }));
  const send = async ({ place, content, replyTo, at }: Omit<Waiting, "since" | "timer">) => {
    const key = keyOf(place);
    put(key, { ...place, content, replyTo, updatedAt: at, isOwn: true });
    // Before the answer: a message that is sent meanwhile deletes it.
    if (content === "") onServer.delete(key);
    else onServer.add(key);
    const body = { content: content === "" ? null : content, reply_to: replyTo, updated_at: at };
    await client.drafts.write(place.channelId, place.threadId === null ? body : { ...body, thread_id: place.threadId });
    if (newest.get(key) === at) draftMark(key).write(content === "" ? null : { ...place, at, isSent: true });
  };
  const flushOne = (key: string) => {
    const change = waiting.get(key);
    if (change === undefined) return;
    clearTimeout(change.timer);
    waiting.delete(key);
    // It stays on the device, and is sent with the next change or after the next READY.
    send(change).catch(() => undefined);
  };
  const changed: Drafts["changed"] = (place, content, replyTo) => {
    const key = keyOf(place);
    const at = new Date().toISOString();
    const before = waiting.get(key);
    clearTimeout(before?.timer);
    newest.set(key, at);
    const kept = store.getState().drafts[key];
    // What was written elsewhere is replaced in this tab at once.
    if (kept?.isOwn === false) put(key, { ...place, content, replyTo, updatedAt: at, isOwn: true });
    // A message that is sent at once never was a draft of other devices.
    if (content === "" && !onServer.has(key)) {
      waiting.delete(key);
      return draftMark(key).write(null);
    }
    draftMark(key).write({ ...place, at, isSent: false });
    const since = before?.since ?? Date.now();
    const timer = setTimeout(() => flushOne(key), Math.min(pauseMs, Math.max(0, since + waitMsMax - Date.now())));
    waiting.set(key, { place, content, replyTo, at, since, timer });
  };
  const received: Drafts["received"] = ({
    channel_id: channelId,
    thread_id: threadId,
    content,
    reply_to,
    updated_at,
  }) => {
    const place = { channelId, threadId };
    const key = keyOf(place);
    if (content === null) onServer.delete(key);
    else onServer.add(key);
    const mark = draftMark(key).read();
    const own = mark?.isSent === false ? mark.at : "";
    if ([own, newest.get(key) ?? ""].some((at) => at >= updated_at)) return;
    newest.set(key, updated_at);
    draftText(key).write(content ?? "");
    mentionsOfDraft(key).write(new Map());
    draftMark(key).write(content === null ? null : { ...place, at: updated_at, isSent: true });
    put(key, { ...place, content: content ?? "", replyTo: reply_to, updatedAt: updated_at, isOwn: false });
  };
  /** Sends what the server lacks, and takes away what was deleted on another device. */
  const settle = (listed: readonly Draft[], askedAt: string) => {
    const known = new Set(listed.map(({ channel_id, thread_id }) => thread_id ?? channel_id));
    for (const key of keptDrafts()) {
      const mark = draftMark(key).read();
      if (mark === null || waiting.has(key)) continue;
      const { channelId, threadId, at, isSent } = mark;
      const place = { channelId, threadId };
      const content = draftText(key).read();
      if (!isSent) send({ place, content, replyTo: null, at }).catch(() => undefined);
      else if (!known.has(key) && at < askedAt)
        received({ channel_id: channelId, thread_id: threadId, content: null, reply_to: null, updated_at: askedAt });
    }
  };
  const flush = () => {
    for (const key of [...waiting.keys()]) flushOne(key);
  };
  const flushHidden = () => {
    if (document.visibilityState === "hidden") flush();
  };
  document.addEventListener("visibilitychange", flushHidden);

  return {
    async read() {
      const askedAt = new Date().toISOString();
      const { drafts } = await client.drafts.list();
      for (const one of drafts) received(one);
      settle(drafts, askedAt);
    },
    changed,
    drop(place) {
      const key = keyOf(place);
      draftText(key).write("");
      mentionsOfDraft(key).write(new Map());
      changed(place, "", null);
      flushOne(key);
    },
    received,
    close() {
      document.removeEventListener("visibilitychange", flushHidden);
      for (const { timer } of waiting.values()) clearTimeout(timer);
    },
  };
}
