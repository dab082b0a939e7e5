import { clearableText, errorTexts } from "@parley/contracts";
import { z } from "zod";
import { identifiers, nonNull } from "../../platform/http/input.js";

/** Longest timeout by hand: 28 days (docs/protocol/limits.md#16.1). */
export const timeoutMinutesMax = 40_320;

/** Most users of one request that bans many (docs/protocol/moderation.md#24.4). */
export const bannedUsersMax = 200;

const range = (min: number, max: number, message: string) =>
  nonNull(z.int(message).min(min, message).max(max, message));

const reason = clearableText(512, errorTexts.reason_length).nullish();

export const removalBody = z.object({ reason });

const deleteMessageSeconds = range(0, 604_800, errorTexts.delete_message_seconds_range);

export const banBody = removalBody.extend({
  delete_message_seconds: deleteMessageSeconds,
  expires_in_minutes: range(1, 525_600, errorTexts.expires_in_minutes_range),
});
export type BanBody = z.infer<typeof banBody>;

export const bansBody = removalBody.extend({ delete_message_seconds: deleteMessageSeconds });
export type BansBody = z.infer<typeof bansBody>;

export const bulkBanBody = bansBody.extend({
  user_ids: identifiers(bannedUsersMax, errorTexts.user_ids_count),
});
export type BulkBanBody = z.infer<typeof bulkBanBody>;

/** The range of the duration is the last of all checks (docs/protocol/moderation.md#10.1), so any value passes here. */
export const timeoutBody = z.object({ duration_minutes: z.unknown().optional(), reason });
export const describedTimeoutBody = timeoutBody.extend({ duration_minutes: z.int().min(1).max(timeoutMinutesMax) });
export type TimeoutBody = z.infer<typeof timeoutBody>;
