import { trimmedText, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { optionsMax, optionsMin } from "./limits.js";

// Texts of the 400s.
export const questionInvalid = "Question must be 1-500 characters";
export const optionCountInvalid = `Polls require ${optionsMin} to ${optionsMax} options`;
export const optionTextInvalid = "Each option must be 1-200 characters";
export const invalidOption = "Invalid option_id";

export const createPollBody = z.object({
  question: trimmedText({ min: 1, max: 500, message: questionInvalid }),
  options: z
    .array(trimmedText({ min: 1, max: 200, message: optionTextInvalid }), optionCountInvalid)
    .min(optionsMin, optionCountInvalid)
    .max(optionsMax, optionCountInvalid),
});
export type CreatePoll = z.infer<typeof createPollBody>;

export const voteBody = z.object({ option_id: uuidInput(invalidOption) });
