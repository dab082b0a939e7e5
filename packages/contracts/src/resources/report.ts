import { z } from "zod";
import { reportCategories, reportStatuses } from "../moderation-kinds.js";
import { timestamp, uuid } from "./identifiers.js";

/** Reporters and reasons that a report shows and keeps, the first: each may be 1,000 characters long. */
export const shownReportersMax = 25;

/** The fields of both kinds of reports, of a server and of the whole installation. */
const about = {
  id: uuid,
  author_id: uuid.nullable().meta({ description: "Who wrote it, or who it is; null without an account any more" }),
  content: z.string().nullable().meta({ description: "As it was when reported; null 90 days after closing" }),
  attachments: z.int().meta({ minimum: 0, description: "How many files there were" }),
  reporters: z.array(uuid).meta({ maxItems: shownReportersMax, description: "The first of them" }),
  reasons: z.array(z.string()).meta({ maxItems: shownReportersMax, description: "In the order of the reports" }),
  category: z.enum(reportCategories).meta({ description: "Of the first report" }),
  source: z.enum(["member", "automod"]).meta({ description: "Where the first report is from" }),
  status: z.enum(reportStatuses),
  closed_by: uuid.nullable(),
  note: z.string().nullable().meta({ maxLength: 1000 }),
  created_at: timestamp,
  closed_at: timestamp.nullable(),
};

/** All reports of one message, or the flag of auto-moderation (docs/protocol/moderation.md#24.5). */
export const Report = z
  .object({
    ...about,
    server_id: uuid,
    message_id: uuid.nullable().meta({ description: "Null for a name" }),
    channel_id: uuid.nullable().meta({ description: "Null for a name" }),
  })
  .meta({ id: "Report" });
export type Report = z.infer<typeof Report>;

/** All reports of one direct message, user or server, for the administrators of the installation. */
export const InstanceReport = z
  .object({ ...about, target_type: z.enum(["dm_message", "user", "server"]), target_id: uuid })
  .meta({ id: "InstanceReport" });
export type InstanceReport = z.infer<typeof InstanceReport>;

/** An entry of the history of a member (docs/protocol/moderation.md#24.6). */
export const HistoryEntry = z
  .object({
    type: z.enum(["kick", "ban", "unban", "timeout", "timeout_remove", "automod", "report", "note"]),
    id: uuid,
    actor_id: uuid.nullable(),
    reason: z.string().nullable().meta({ description: "Of a note its text, of a report the first reason" }),
    details: z.record(z.string(), z.unknown()),
    created_at: timestamp,
  })
  .meta({ id: "HistoryEntry" });
export type HistoryEntry = z.infer<typeof HistoryEntry>;
