import { errorTexts, text, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { listPosition } from "../../platform/http/list-position.js";
import { boundedLimit } from "../../platform/http/page-limit.js";
import { memberPageDefault, memberPageMax } from "./limits.js";

/** Most code points of the prefix in a search for names. */
const namePrefixMax = 100;

/** A place in the list of a server, after which a page begins; the member at it may have left since. */
export interface MemberPlace {
  joinedAt: Date;
  userId: string;
}

export const memberQuery = z.object({
  limit: boundedLimit({ max: memberPageMax, fallback: memberPageDefault }),
  after: uuidInput(errorTexts.after_invalid).optional(),
  /** Names are stored in this form. */
  q: text({ min: 0, max: namePrefixMax, message: errorTexts.member_list_q_length })
    .transform((prefix) => prefix.normalize("NFC"))
    .optional(),
  status: z.enum(["online", "offline"], errorTexts.member_list_status_invalid).optional(),
  role_id: uuidInput(errorTexts.role_id_invalid).optional(),
  position: listPosition.optional(),
});
export type MemberQuery = z.infer<typeof memberQuery>;
