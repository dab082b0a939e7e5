import { errorTexts } from "@parley/contracts";
import { z } from "zod";
import { instant, nonNull } from "../../platform/http/input.js";
import { messageContent } from "../core/schema.js";

/** How far ahead a message may be planned: 30 seconds to 30 days. */
const aheadMinMs = 30_000;
const aheadMaxMs = 30 * 86_400_000;

const later = instant(errorTexts.send_at_range).refine((time) => {
  const ahead = time.getTime() - Date.now();
  return ahead >= aheadMinMs && ahead <= aheadMaxMs;
}, errorTexts.send_at_range);

/** When a message is to be sent; without it at once. */
export const sendAt = nonNull(later).meta({
  description: "When it is sent, 30 seconds to 30 days ahead; without it at once",
});

/** The same field of a form with files, which cannot be planned. */
export const notPlanned = z
  .unknown()
  .refine((value) => value === undefined || value === null, errorTexts.scheduled_text_only)
  .transform(() => undefined)
  .optional();

export const updatePlannedBody = z.object({ content: nonNull(messageContent), send_at: nonNull(later) });
export type UpdatePlanned = z.infer<typeof updatePlannedBody>;

/** Texts of the 400s of a message that may be planned. */
export const plannedRejections = [errorTexts.send_at_range, errorTexts.scheduled_text_only];
