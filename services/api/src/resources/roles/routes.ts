import { caps, Role } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { accessErrors } from "../../access/error-texts.js";
import { identifier, positionMessage } from "../../http/input.js";
import { created, noContent, ok, type Route, route } from "../../http/route.js";
import { roleErrors } from "./error-texts.js";
import { createRoleBody, updateRoleBody } from "./schema.js";
import type { RoleService } from "./service.js";

const serverParams = z.object({ server_id: identifier });
const roleParams = serverParams.extend({ role_id: identifier });
const listPath = "/servers/:server_id/roles";
const path = "/servers/:server_id/roles/:role_id";
const serverNotFound = [accessErrors.serverNotFound];
const roleNotFound = [...serverNotFound, roleErrors.notFound];
const inputErrors = [roleErrors.name, "Permissions must be between 0 and 32767", roleErrors.color, positionMessage];

export function roleRoutes(roles: RoleService): Route[] {
  return [
    route(
      {
        method: "get",
        path: listPath,
        tag: "roles",
        summary: "List the roles of a server, the highest first",
        caller: "account",
        params: serverParams,
        success: ok(z.array(Role)),
        errors: { not_found: serverNotFound },
      },
      ({ identity, params }) => roles.list(identity.userId, params.server_id),
    ),
    route(
      {
        method: "post",
        path: listPath,
        tag: "roles",
        summary: "Create a role",
        caller: "account",
        params: serverParams,
        body: createRoleBody,
        success: created(Role),
        errors: {
          invalid_input: [...inputErrors, capText(caps.roles)],
          not_found: serverNotFound,
          forbidden: [roleErrors.needManageRoles, roleErrors.createAbove, roleErrors.cannotGrant],
        },
      },
      ({ identity, params, body }) => roles.create(identity.userId, params.server_id, body),
    ),
    route(
      {
        method: "patch",
        path,
        tag: "roles",
        summary: "Update a role",
        caller: "account",
        params: roleParams,
        body: updateRoleBody,
        success: ok(Role),
        errors: {
          invalid_input: inputErrors,
          not_found: roleNotFound,
          forbidden: [roleErrors.needManageRoles, roleErrors.editAbove, roleErrors.moveAbove, roleErrors.cannotGrant],
        },
      },
      ({ identity, params, body }) => roles.update(identity.userId, params, body),
    ),
    route(
      {
        method: "delete",
        path,
        tag: "roles",
        summary: "Delete a role with its assignments and overrides",
        caller: "account",
        params: roleParams,
        success: noContent(),
        errors: {
          not_found: roleNotFound,
          forbidden: [roleErrors.needManageRoles, roleErrors.deleteAbove],
        },
      },
      ({ identity, params }) => roles.delete(identity.userId, params),
    ),
  ];
}
