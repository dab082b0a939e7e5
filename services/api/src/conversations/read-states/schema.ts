import { errorTexts, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { nonNull } from "../../platform/http/input.js";

/** Up to which message a channel was read; without it, all that was sent until now. */
export const readUpTo = z.object({ message_id: nonNull(uuidInput(errorTexts.message_id_invalid)) });
export const readUpToErrors = [errorTexts.message_id_invalid];
