import { isUuid, text, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { boundedLimit } from "../../http/page-limit.js";
import { memberPageDefault, memberPageMax, namePrefixMax } from "./limits.js";

/** A place in the list of a server, after which a page begins; the member at it may have left since. */
export interface MemberPlace {
  joinedAt: Date;
  userId: string;
}

/** Texts of the 400 answers. */
export const memberQueryErrors = {
  q: `q must be at most ${namePrefixMax} characters`,
  status: "status must be online or offline",
  after: "Invalid after",
  role_id: "Invalid role_id",
  position: "Invalid position",
} as const;

/** A place as the opaque text of a link. */
export function writePlace({ joinedAt, userId }: MemberPlace): string {
  return Buffer.from(`${joinedAt.getTime()} ${userId}`).toString("base64url");
}

const position = z.string(memberQueryErrors.position).transform((value, context): MemberPlace => {
  const [time, userId] = Buffer.from(value, "base64url").toString().split(" ");
  if (/^\d{1,14}$/.test(time ?? "") && isUuid(userId)) return { joinedAt: new Date(Number(time)), userId };
  context.addIssue({ code: "custom", message: memberQueryErrors.position });
  return z.NEVER;
});

export const memberQuery = z.object({
  limit: boundedLimit({ max: memberPageMax, fallback: memberPageDefault }),
  after: uuidInput(memberQueryErrors.after).optional(),
  q: text({ min: 0, max: namePrefixMax, message: memberQueryErrors.q }).optional(),
  status: z.enum(["online", "offline"], memberQueryErrors.status).optional(),
  role_id: uuidInput(memberQueryErrors.role_id).optional(),
  position: position.optional().meta({ type: "string", description: "Only from the Link header of the page before" }),
});
export type MemberQuery = z.infer<typeof memberQuery>;
