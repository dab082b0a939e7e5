import { errorTexts, Member } from "@parley/contracts";
import { z } from "zod";
import { inServer } from "../../access/may.js";
import { identifier } from "../../platform/http/input.js";
import { linkToNext } from "../../platform/http/list-position.js";
import { ok, type Route, route, type Success } from "../../platform/http/route.js";
import { sendList, sendLongList } from "../../platform/http/send-list.js";
import { memberPageMax } from "./limits.js";
import { memberQuery } from "./schema.js";
import type { MemberService } from "./service.js";

const params = z.object({ id: identifier });
const path = "/servers/:id/members";
/** Sent by the handler itself. */
const list: Success = ok(z.array(Member));

export function memberRoutes(members: MemberService): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        name: "members.list",
        summary: "List the members of a server",
        description:
          "In the order in which they joined: all of them, or with any parameter a page, whose `Link` header leads to the " +
          'next one (`rel="next"`) while there is one.',
        caller: "account",
        params,
        may: inServer(),
        query: memberQuery,
        success: list,
        errors: {
          invalid_input: [
            errorTexts.limit_range(memberPageMax),
            errorTexts.member_list_q_length,
            errorTexts.member_list_status_invalid,
            errorTexts.after_invalid,
            errorTexts.role_id_invalid,
            errorTexts.member_list_position_invalid,
          ],
        },
      },
      async ({ may, query, request, response }) => {
        const access = await may.access();
        if (!Object.keys(memberQuery.shape).some((name) => name in request.query)) {
          return sendLongList(response, members.listAll(access));
        }
        const page = await members.listPage(access, query);
        const { next } = page;
        linkToNext(request, response, next === null ? null : { time: next.joinedAt.getTime(), userId: next.userId });
        sendList(response, page.members);
      },
    ),
    route(
      {
        method: "get",
        path: `${path}/count`,
        name: "members.count",
        summary: "Count the members of a server and those who are not offline",
        caller: "account",
        params,
        may: inServer(),
        success: ok(z.object({ total: z.int(), online: z.int() })),
      },
      async ({ may }) => members.count(await may.access()),
    ),
    route(
      {
        method: "get",
        path: `${path}/:user_id`,
        name: "members.get",
        summary: "Get a member of a server",
        caller: "account",
        params: params.extend({ user_id: identifier }),
        may: inServer(),
        success: ok(Member),
        errors: { not_found: [errorTexts.member_not_found] },
      },
      async ({ may, params }) => members.get(await may.access(), params.user_id),
    ),
  ];
}
