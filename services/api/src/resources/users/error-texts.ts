import { errorTexts } from "@parley/contracts";

/** Public error texts of accounts. */
export const userErrors = {
  notFound: errorTexts.userNotFound,
  status: "Invalid status",
} as const;
