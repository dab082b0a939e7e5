import { caps, errorTexts, Role } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { inServer } from "../../access/may.js";
import { identifier } from "../../platform/http/input.js";
import { created, noContent, ok, type Route, route } from "../../platform/http/route.js";
import { manageRoles, namedRole, namedRoleOrEveryone } from "./hierarchy.js";
import { answerRole } from "./resource.js";
import { createRoleBody, rolesQuery, updateRoleBody } from "./schema.js";
import type { RoleService } from "./service.js";

const serverParams = z.object({ server_id: identifier });
const roleParams = serverParams.extend({ role_id: identifier });
const listPath = "/servers/:server_id/roles";
const path = "/servers/:server_id/roles/:role_id";
const inputErrors = [
  errorTexts.role_name_length,
  errorTexts.permissions_range,
  errorTexts.color_invalid,
  errorTexts.mentionable_not_boolean,
  errorTexts.position_invalid,
  errorTexts.rights_list,
  errorTexts.right_unknown("<x>"),
];

export function roleRoutes(roles: RoleService): Route[] {
  return [
    route(
      {
        method: "get",
        path: listPath,
        name: "roles.list",
        summary: "List the roles of a server, the highest first",
        caller: "account",
        params: serverParams,
        query: rolesQuery,
        may: inServer(),
        success: ok(z.array(Role)),
      },
      async ({ may, query }) => roles.list(await may.access(), query.rights),
    ),
    route(
      {
        method: "get",
        path,
        name: "roles.get",
        summary: "Read a role, or with the server's id the everyone role",
        caller: "account",
        params: roleParams,
        query: rolesQuery,
        may: inServer([], namedRoleOrEveryone),
        success: ok(Role),
      },
      async ({ may, query }) => answerRole((await may.access()).found, query.rights),
    ),
    route(
      {
        method: "post",
        path: listPath,
        name: "roles.create",
        summary: "Create a role",
        caller: "account",
        causes: ["ROLE_CREATE", "AUDIT_LOG_ENTRY_CREATE"],
        params: serverParams,
        may: inServer(manageRoles),
        body: createRoleBody,
        success: created(Role),
        errors: {
          invalid_input: [...inputErrors, capText(caps.roles)],
          forbidden: [
            errorTexts.role_create_above,
            errorTexts.cannot_grant_permissions,
            errorTexts.cannot_grant_rights,
          ],
        },
      },
      ({ may, body }) => roles.create(may, body),
    ),
    route(
      {
        method: "patch",
        path,
        name: "roles.update",
        summary: "Update a role",
        caller: "account",
        causes: ["ROLE_UPDATE", "VOICE_STATE_UPDATE", "GO_LIVE_STOP", "AUDIT_LOG_ENTRY_CREATE"],
        params: roleParams,
        may: inServer(manageRoles, namedRoleOrEveryone),
        body: updateRoleBody,
        success: ok(Role),
        errors: {
          invalid_input: [...inputErrors, errorTexts.everyone_permissions_only, errorTexts.everyone_not_administrator],
          forbidden: [
            errorTexts.role_edit_above,
            errorTexts.role_move_above,
            errorTexts.cannot_grant_permissions,
            errorTexts.cannot_grant_rights,
          ],
        },
      },
      ({ may, params, body }) => roles.update(may, params, body),
    ),
    route(
      {
        method: "delete",
        path,
        name: "roles.delete",
        summary: "Delete a role with its assignments and overrides",
        caller: "account",
        causes: ["ROLE_DELETE", "VOICE_STATE_UPDATE", "GO_LIVE_STOP", "AUDIT_LOG_ENTRY_CREATE"],
        params: roleParams,
        may: inServer(manageRoles, namedRole),
        success: noContent(),
        errors: { forbidden: [errorTexts.role_delete_above] },
      },
      ({ may, params }) => roles.delete(may, params),
    ),
  ];
}
