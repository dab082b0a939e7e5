import { z } from "zod";
import { uuid } from "./identifiers.js";

/** Most invites that figures have, those with the most joins. */
export const insightInvitesMax = 100;

const count = z.int().meta({ minimum: 0 });

/** A server on a day of its time zone. */
export const InsightDay = z
  .object({
    date: z.string().meta({ format: "date", example: "2026-11-28" }),
    joins: count,
    leaves: count,
    members: count.meta({ description: "At the end of the day; bots count" }),
    active_members: count.meta({ description: "Those who wrote, or read a message of the day" }),
    writers: count,
    messages: count.meta({ description: "Of people, also those that were deleted later" }),
  })
  .meta({ id: "InsightDay" });
export type InsightDay = z.infer<typeof InsightDay>;

/** How much was written in a channel, and by how many different people. */
export const InsightChannel = z
  .object({ channel_id: uuid, messages: count, writers: count })
  .meta({ id: "InsightChannel" });
export type InsightChannel = z.infer<typeof InsightChannel>;

/** How many joined by an invite, which may be revoked by now. */
export const InsightInvite = z
  .object({
    code: z.string().meta({ maxLength: 32, example: "aB3dE6gH" }),
    joins: count,
    still_members: count.meta({ description: "Of those who joined in these days" }),
  })
  .meta({ id: "InsightInvite" });
export type InsightInvite = z.infer<typeof InsightInvite>;

/** The figures of a server over some days (docs/protocol/communities.md#34.8). */
export const ServerInsights = z
  .object({
    days: z.array(InsightDay).meta({ description: "Ends with today, oldest first" }),
    channels: z.array(InsightChannel).meta({ description: "Those that the caller may view; the most messages first" }),
    invites: z.array(InsightInvite).meta({ maxItems: insightInvitesMax, description: "The most joins first" }),
  })
  .meta({ id: "ServerInsights" });
export type ServerInsights = z.infer<typeof ServerInsights>;
