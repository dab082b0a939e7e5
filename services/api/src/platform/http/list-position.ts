import { errorTexts, isUuid } from "@parley/contracts";
import type { Request, Response } from "express";
import { z } from "zod";

/**
 * A place in a list of people in order of time, after which a page begins. It outlives the row at it: a list goes on
 * although that member left, or took a reaction back.
 */
export interface ListPosition {
  /** In the unit of the list, since 1970. */
  time: number;
  userId: string;
}

/** The parameter of a page that a `Link` leads to. */
export const listPosition = z
  .string(errorTexts.member_list_position_invalid)
  .transform((value, context): ListPosition => {
    const [time, userId] = Buffer.from(value, "base64url").toString().split(" ");
    if (/^\d{1,16}$/.test(time ?? "") && isUuid(userId)) return { time: Number(time), userId };
    context.addIssue({ code: "custom", message: errorTexts.member_list_position_invalid });
    return z.NEVER;
  })
  .meta({ type: "string", description: "Only from the Link header of the page before" });

/** Names the same request from another position as the next one (RFC 8288); nothing after the last page. */
export function linkToNext(request: Request, response: Response, next: ListPosition | null): void {
  if (next === null) return;
  const [asked = "", query] = request.originalUrl.split("?");
  const parameters = new URLSearchParams(query);
  parameters.delete("after");
  parameters.set("position", Buffer.from(`${next.time} ${next.userId}`).toString("base64url"));
  response.setHeader("Link", `<${asked}?${parameters}>; rel="next"`);
}
