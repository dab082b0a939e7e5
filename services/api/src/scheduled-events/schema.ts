import { clearableText, trimmedText } from "@parley/contracts";
import { z } from "zod";
import { instant } from "../http/input.js";
import { eventErrors } from "./error-texts.js";

export const createEventBody = z.object({
  name: trimmedText({ min: 1, max: 200, message: eventErrors.name }),
  description: clearableText(2000, eventErrors.description).optional(),
  starts_at: instant(eventErrors.startsAt).refine((time) => time.getTime() > Date.now(), eventErrors.startsAt),
});
export type CreateEvent = z.infer<typeof createEventBody>;
