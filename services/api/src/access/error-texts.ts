import { errorTexts } from "@parley/contracts";

/** Public error texts of the checks that several resources share. */
export const accessErrors = {
  /** The 404 for a server or channel that does not exist or that the caller is no member of. */
  serverNotFound: errorTexts.serverNotFound,
  channelNotFound: "Channel not found",
  /** The 400 for what would leave the instance without an administrator (docs/interface.md#18.1). */
  lastAdmin: "At least one administrator must remain",
} as const;
