import { errorTexts, Member } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { linkToNext } from "../../platform/http/list-position.js";
import { ok, type Route, route, type Success } from "../../platform/http/route.js";
import { sendList, sendLongList } from "../../platform/http/send-list.js";
import { memberPageMax } from "./limits.js";
import { memberQuery } from "./schema.js";
import type { MemberService } from "./service.js";

const params = z.object({ id: identifier });
const path = "/servers/:id/members";
const serverNotFound = [errorTexts.server_not_found];
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
          not_found: serverNotFound,
        },
      },
      async ({ identity, params, query, request, response }) => {
        if (!Object.keys(memberQuery.shape).some((name) => name in request.query)) {
          return sendLongList(response, members.listAll(identity.userId, params.id));
        }
        const page = await members.listPage(identity.userId, params.id, query);
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
        success: ok(z.object({ total: z.int(), online: z.int() })),
        errors: { not_found: serverNotFound },
      },
      ({ identity, params }) => members.count(identity.userId, params.id),
    ),
    route(
      {
        method: "get",
        path: `${path}/:user_id`,
        name: "members.get",
        summary: "Get a member of a server",
        caller: "account",
        params: params.extend({ user_id: identifier }),
        success: ok(Member),
        errors: { not_found: [...serverNotFound, errorTexts.member_not_found] },
      },
      ({ identity, params }) => members.get(identity.userId, params.id, params.user_id),
    ),
  ];
}
