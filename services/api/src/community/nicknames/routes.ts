import { errorTexts, Member } from "@parley/contracts";
import { z } from "zod";
import { inServer } from "../../access/may.js";
import { identifier } from "../../platform/http/input.js";
import { ok, type Route, route } from "../../platform/http/route.js";
import { nicknameBody } from "./schema.js";
import { changeNickname } from "./service.js";

const ofServer = z.object({ id: identifier });
const path = "/servers/:id/members";
const invalid_input = [errorTexts.nickname_length];

export function nicknameRoutes(): Route[] {
  return [
    route(
      {
        method: "patch",
        path: `${path}/@me`,
        name: "members.updateMe",
        summary: "Change one's own nickname in a server",
        caller: "account",
        causes: ["MEMBER_UPDATE"],
        params: ofServer,
        may: inServer(),
        body: nicknameBody,
        success: ok(Member),
        errors: { invalid_input },
      },
      ({ may, identity, body }) => changeNickname(may, identity.userId, body),
    ),
    route(
      {
        method: "patch",
        path: `${path}/:user_id`,
        name: "members.update",
        summary: "Change the nickname of a member",
        description: "Of another one with KICK_MEMBERS, below the caller in the hierarchy of roles.",
        caller: "account",
        causes: ["MEMBER_UPDATE", "AUDIT_LOG_ENTRY_CREATE"],
        params: ofServer.extend({ user_id: identifier }),
        may: inServer(),
        body: nicknameBody,
        success: ok(Member),
        errors: {
          invalid_input,
          not_found: [errorTexts.member_not_found],
          forbidden: [
            errorTexts.cannot_moderate_owner,
            errorTexts.missing_permission,
            errorTexts.second_factor_to_moderate,
            errorTexts.cannot_moderate_above,
          ],
        },
      },
      ({ may, params, body }) => changeNickname(may, params.user_id, body),
    ),
  ];
}
