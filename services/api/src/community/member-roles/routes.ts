import { errorTexts } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { noContent, type Route, route } from "../../platform/http/route.js";
import type { MemberRoleService } from "./service.js";

const params = z.object({ server_id: identifier, user_id: identifier, role_id: identifier });
const path = "/servers/:server_id/members/:user_id/roles/:role_id";
const notFound = [errorTexts.server_not_found, errorTexts.role_not_found];

export function memberRoleRoutes(memberRoles: MemberRoleService): Route[] {
  return [
    route(
      {
        method: "put",
        path,
        name: "roles.assign",
        summary: "Assign a role to a member",
        caller: "account",
        causes: ["MEMBER_ROLE_ADD", "VOICE_STATE_UPDATE", "GO_LIVE_STOP"],
        params,
        success: noContent(),
        errors: {
          not_found: notFound,
          forbidden: [
            errorTexts.manage_roles_required,
            errorTexts.role_assign_above,
            errorTexts.cannot_grant_permissions,
            errorTexts.cannot_grant_rights,
          ],
        },
      },
      ({ identity, params }) => memberRoles.assign(identity.userId, params),
    ),
    route(
      {
        method: "delete",
        path,
        name: "roles.unassign",
        summary: "Remove a role from a member",
        caller: "account",
        causes: ["MEMBER_ROLE_REMOVE", "VOICE_STATE_UPDATE", "GO_LIVE_STOP"],
        params,
        success: noContent(),
        errors: {
          not_found: notFound,
          forbidden: [errorTexts.manage_roles_required, errorTexts.owner_roles_fixed, errorTexts.role_remove_above],
        },
      },
      ({ identity, params }) => memberRoles.remove(identity.userId, params),
    ),
  ];
}
