import { trimmedText, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { nonceInput } from "../nonces/schema.js";
import { pollErrors } from "./error-texts.js";
import { optionsMax, optionsMin } from "./limits.js";

export const createPollBody = z.object({
  question: trimmedText({ min: 1, max: 500, message: pollErrors.question }),
  options: z
    .array(trimmedText({ min: 1, max: 200, message: pollErrors.optionText }), pollErrors.optionCount)
    .min(optionsMin, pollErrors.optionCount)
    .max(optionsMax, pollErrors.optionCount),
  nonce: nonceInput,
});
export type CreatePoll = z.infer<typeof createPollBody>;

export const voteBody = z.object({ option_id: uuidInput(pollErrors.optionId) });
