import { clearableText, errorTexts } from "@parley/contracts";
import { z } from "zod";

/** Longest timeout by hand: 28 days (docs/interface.md#16.1). */
export const timeoutMinutesMax = 40_320;

const reason = clearableText(512, errorTexts.reason_length).nullish();

export const removalBody = z.object({ reason });

/** The range of the duration is the last of all checks (docs/interface.md#10.1), so any value passes here. */
export const timeoutBody = z.object({ duration_minutes: z.unknown().optional(), reason });
export const describedTimeoutBody = timeoutBody.extend({ duration_minutes: z.int().min(1).max(timeoutMinutesMax) });
export type TimeoutBody = z.infer<typeof timeoutBody>;
