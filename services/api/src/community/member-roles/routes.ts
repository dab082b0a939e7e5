import { errorTexts } from "@parley/contracts";
import { z } from "zod";
import { inServer } from "../../access/may.js";
import { identifier } from "../../platform/http/input.js";
import { noContent, type Route, route } from "../../platform/http/route.js";
import { manageRoles } from "../roles/hierarchy.js";
import { type MemberRoleService, namedAssignment } from "./service.js";

const params = z.object({ server_id: identifier, user_id: identifier, role_id: identifier });
const path = "/servers/:server_id/members/:user_id/roles/:role_id";
const may = inServer(manageRoles, namedAssignment);

export function memberRoleRoutes(memberRoles: MemberRoleService): Route[] {
  return [
    route(
      {
        method: "put",
        path,
        name: "roles.assign",
        summary: "Assign a role to a member",
        caller: "account",
        causes: ["MEMBER_ROLE_ADD", "VOICE_STATE_UPDATE", "GO_LIVE_STOP", "AUDIT_LOG_ENTRY_CREATE"],
        params,
        may,
        success: noContent(),
        errors: {
          forbidden: [
            errorTexts.role_assign_above,
            errorTexts.cannot_grant_permissions,
            errorTexts.cannot_grant_rights,
          ],
        },
      },
      ({ may, params }) => memberRoles.assign(may, params),
    ),
    route(
      {
        method: "delete",
        path,
        name: "roles.unassign",
        summary: "Remove a role from a member",
        caller: "account",
        causes: ["MEMBER_ROLE_REMOVE", "VOICE_STATE_UPDATE", "GO_LIVE_STOP", "AUDIT_LOG_ENTRY_CREATE"],
        params,
        may,
        success: noContent(),
        errors: { forbidden: [errorTexts.owner_roles_fixed, errorTexts.role_remove_above] },
      },
      ({ may, params }) => memberRoles.remove(may, params),
    ),
  ];
}
