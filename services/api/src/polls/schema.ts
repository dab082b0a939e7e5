import { trimmedText, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { optionsMax, optionsMin } from "./limits.js";

const optionsMessage = `Polls require ${optionsMin} to ${optionsMax} options`;

export const createPollBody = z.object({
  question: trimmedText({ min: 1, max: 500, message: "Question must be 1-500 characters" }),
  options: z
    .array(trimmedText({ min: 1, max: 200, message: "Each option must be 1-200 characters" }), optionsMessage)
    .min(optionsMin, optionsMessage)
    .max(optionsMax, optionsMessage),
});
export type CreatePoll = z.infer<typeof createPollBody>;

export const voteBody = z.object({ option_id: uuidInput("Invalid option_id") });
