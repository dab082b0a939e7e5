import { z } from "zod";
import { accessErrors } from "../../access/error-texts.js";
import { identifier } from "../../http/input.js";
import { noContent, type Route, route } from "../../http/route.js";
import { roleErrors } from "./error-texts.js";
import type { MemberRoleService } from "./member-role-service.js";

const params = z.object({ server_id: identifier, user_id: identifier, role_id: identifier });
const path = "/servers/:server_id/members/:user_id/roles/:role_id";
const notFound = [accessErrors.serverNotFound, roleErrors.notFound];

export function memberRoleRoutes(memberRoles: MemberRoleService): Route[] {
  return [
    route(
      {
        method: "put",
        path,
        tag: "roles",
        summary: "Assign a role to a member",
        caller: "account",
        params,
        success: noContent(),
        errors: {
          not_found: notFound,
          forbidden: [roleErrors.needManageRoles, roleErrors.assignAbove, roleErrors.cannotGrant],
        },
      },
      ({ identity, params }) => memberRoles.assign(identity.userId, params),
    ),
    route(
      {
        method: "delete",
        path,
        tag: "roles",
        summary: "Remove a role from a member",
        caller: "account",
        params,
        success: noContent(),
        errors: {
          not_found: notFound,
          forbidden: [roleErrors.needManageRoles, roleErrors.removeFromOwner, roleErrors.removeAbove],
        },
      },
      ({ identity, params }) => memberRoles.remove(identity.userId, params),
    ),
  ];
}
