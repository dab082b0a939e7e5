import { caps, errorTexts, Role } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { identifier } from "../../platform/http/input.js";
import { created, noContent, ok, type Route, route } from "../../platform/http/route.js";
import { createRoleBody, rolesQuery, updateRoleBody } from "./schema.js";
import type { RoleService } from "./service.js";

const serverParams = z.object({ server_id: identifier });
const roleParams = serverParams.extend({ role_id: identifier });
const listPath = "/servers/:server_id/roles";
const path = "/servers/:server_id/roles/:role_id";
const serverNotFound = [errorTexts.server_not_found];
const roleNotFound = [...serverNotFound, errorTexts.role_not_found];
const inputErrors = [
  errorTexts.role_name_length,
  errorTexts.permissions_range,
  errorTexts.color_invalid,
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
        success: ok(z.array(Role)),
        errors: { not_found: serverNotFound },
      },
      ({ identity, params, query }) => roles.list(identity.userId, params.server_id, query.rights),
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
        success: ok(Role),
        errors: { not_found: roleNotFound },
      },
      ({ identity, params, query }) => roles.read(identity.userId, params, query.rights),
    ),
    route(
      {
        method: "post",
        path: listPath,
        name: "roles.create",
        summary: "Create a role",
        caller: "account",
        causes: ["ROLE_CREATE"],
        params: serverParams,
        body: createRoleBody,
        success: created(Role),
        errors: {
          invalid_input: [...inputErrors, capText(caps.roles)],
          not_found: serverNotFound,
          forbidden: [
            errorTexts.manage_roles_required,
            errorTexts.role_create_above,
            errorTexts.cannot_grant_permissions,
            errorTexts.cannot_grant_rights,
          ],
        },
      },
      ({ identity, params, body }) => roles.create(identity.userId, params.server_id, body),
    ),
    route(
      {
        method: "patch",
        path,
        name: "roles.update",
        summary: "Update a role",
        caller: "account",
        causes: ["ROLE_UPDATE", "VOICE_STATE_UPDATE", "GO_LIVE_STOP"],
        params: roleParams,
        body: updateRoleBody,
        success: ok(Role),
        errors: {
          invalid_input: [...inputErrors, errorTexts.everyone_permissions_only, errorTexts.everyone_not_administrator],
          not_found: roleNotFound,
          forbidden: [
            errorTexts.manage_roles_required,
            errorTexts.role_edit_above,
            errorTexts.role_move_above,
            errorTexts.cannot_grant_permissions,
            errorTexts.cannot_grant_rights,
          ],
        },
      },
      ({ identity, params, body }) => roles.update(identity.userId, params, body),
    ),
    route(
      {
        method: "delete",
        path,
        name: "roles.delete",
        summary: "Delete a role with its assignments and overrides",
        caller: "account",
        causes: ["ROLE_DELETE", "VOICE_STATE_UPDATE", "GO_LIVE_STOP"],
        params: roleParams,
        success: noContent(),
        errors: {
          not_found: roleNotFound,
          forbidden: [errorTexts.manage_roles_required, errorTexts.role_delete_above],
        },
      },
      ({ identity, params }) => roles.delete(identity.userId, params),
    ),
  ];
}
