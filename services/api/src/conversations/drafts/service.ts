import { caps, createEvent, type Draft, type DraftList } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Emit, Outbox } from "@parley/outbox";
import type { CallerRight } from "../../access/asked.js";
import { lockAccount, requireBelowCap } from "../../access/caps.js";
import { type Job, untilNone } from "../../platform/jobs/job.js";
import { whichAreReadable } from "../any-message/repository.js";
import type { ReadChannel } from "../core/kind.js";
import {
  countOtherDrafts,
  type DraftPlace,
  type DraftRow,
  dueDrafts,
  findDrafts,
  findDueDrafts,
  keyOfDraft,
  takeDueDraft,
  writeDraft,
} from "./repository.js";
import type { DraftBody } from "./schema.js";

export function createDrafts({ database }: { database: Database }) {
  return {
    /** The caller's drafts in channels that they may read now, the one changed last first. */
    async list(userId: string): Promise<DraftList> {
      const rows = await findDrafts(database, userId);
      const channelIds = rows.map(({ channel_id }) => channel_id);
      const readable = await whichAreReadable(database, channelIds, userId);
      return {
        drafts: rows.flatMap((row) =>
          row.content !== null && readable.has(row.channel_id) ? { ...toDraft(row), content: row.content } : [],
        ),
      };
    },

    /** Stores the caller's draft; one older than the stored one changes nothing. */
    write(may: CallerRight<ReadChannel>, { content, reply_to, thread_id, updated_at }: DraftBody): Promise<void> {
      return may.change(async ({ access: { userId, channel }, transaction, emit }) => {
        await lockAccount(transaction, userId);
        const place_id = thread_id ?? channel.id;
        if (content !== null) requireBelowCap(caps.drafts, await countOtherDrafts(transaction, userId, place_id));
        const row = await writeDraft(transaction, {
          user_id: userId,
          place_id,
          channel_id: channel.id,
          content,
          reply_to: reply_to ?? null,
          updated_at: updated_at ?? new Date(),
        });
        if (row?.is_changed && row.is_announced) announce(emit, row);
      });
    },
  };
}

export type Drafts = ReturnType<typeof createDrafts>;

/** Announces the changes that came less than a second after the one before. */
export function announceDrafts({ database, outbox }: { database: Database; outbox: Outbox<Transaction> }): Job {
  const announceDue = (place: DraftPlace) =>
    outbox.transaction([{ user_id: place.user_id }], async (transaction, emit) => {
      const row = await takeDueDraft(transaction, place);
      if (row !== undefined) announce(emit, row);
    });
  return {
    name: "drafts",
    causes: ["DRAFT_UPDATE"],
    when: { due: dueDrafts },
    sizeMax: 100,
    async batch({ size, resting }) {
      const due = await findDueDrafts(database, size, resting.keys());
      await resting.each(due, keyOfDraft, announceDue);
      return untilNone(due.length);
    },
  };
}

const announce = (emit: Emit, row: DraftRow) =>
  emit(createEvent("DRAFT_UPDATE", { user_id: row.user_id }, { ...toDraft(row), content: row.content }));

const toDraft = ({ place_id, channel_id, reply_to, updated_at }: DraftRow): Omit<Draft, "content"> => ({
  channel_id,
  thread_id: place_id === channel_id ? null : place_id,
  reply_to,
  updated_at: updated_at.toISOString(),
});
