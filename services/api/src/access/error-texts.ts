import { errorTexts } from "@parley/contracts";

/** Texts of the 404 for a server or channel that does not exist or that the caller is no member of. */
export const accessErrors = {
  serverNotFound: errorTexts.serverNotFound,
  channelNotFound: "Channel not found",
} as const;
