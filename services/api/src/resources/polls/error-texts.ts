import { optionsMax, optionsMin } from "./limits.js";

/** Public error texts of polls (docs/interface.md#7.5). */
export const pollErrors = {
  notFound: "Poll not found",
  question: "Question must be 1-500 characters",
  optionCount: `Polls require ${optionsMin} to ${optionsMax} options`,
  optionText: "Each option must be 1-200 characters",
  optionId: "Invalid option_id",
} as const;
