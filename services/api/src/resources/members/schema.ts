import { errorTexts, isUuid, text, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { boundedLimit } from "../../http/page-limit.js";
import { memberPageDefault, memberPageMax } from "./limits.js";

/** Code points of the beginning of a name that is looked for. */
const namePrefixMax = 100;

/** A place in the list of a server, after which a page begins; the member at it may have left since. */
export interface MemberPlace {
  joinedAt: Date;
  userId: string;
}

/** A place as the opaque text of a link. */
export function writePlace({ joinedAt, userId }: MemberPlace): string {
  return Buffer.from(`${joinedAt.getTime()} ${userId}`).toString("base64url");
}

const position = z.string(errorTexts.member_list_position_invalid).transform((value, context): MemberPlace => {
  const [time, userId] = Buffer.from(value, "base64url").toString().split(" ");
  if (/^\d{1,14}$/.test(time ?? "") && isUuid(userId)) return { joinedAt: new Date(Number(time)), userId };
  context.addIssue({ code: "custom", message: errorTexts.member_list_position_invalid });
  return z.NEVER;
});

export const memberQuery = z.object({
  limit: boundedLimit({ max: memberPageMax, fallback: memberPageDefault }),
  after: uuidInput(errorTexts.after_invalid).optional(),
  q: text({ min: 0, max: namePrefixMax, message: errorTexts.member_list_q_length }).optional(),
  status: z.enum(["online", "offline"], errorTexts.member_list_status_invalid).optional(),
  role_id: uuidInput(errorTexts.role_id_invalid).optional(),
  position: position.optional().meta({ type: "string", description: "Only from the Link header of the page before" }),
});
export type MemberQuery = z.infer<typeof memberQuery>;
