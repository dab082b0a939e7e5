import { allPermissionBits, permissionFieldText, trimmedText } from "@parley/contracts";
import { z } from "zod";
import { position, unclearable } from "../../http/input.js";
import { roleErrors } from "./error-texts.js";

const permissionsMessage = `Permissions must be between 0 and ${allPermissionBits}`;

const name = trimmedText({ min: 1, max: 100, message: roleErrors.name });
const optional = {
  permissions: unclearable(
    z.int(permissionsMessage).min(0, permissionsMessage).max(allPermissionBits, permissionsMessage),
  ).meta({ description: permissionFieldText }),
  color: unclearable(z.string(roleErrors.color).regex(/^#[0-9A-Fa-f]{6}$/, roleErrors.color)),
  position: unclearable(position),
};

export const createRoleBody = z.object({ name, ...optional });
export type CreateRole = z.infer<typeof createRoleBody>;

export const updateRoleBody = z.object({ name: unclearable(name), ...optional });
export type UpdateRole = z.infer<typeof updateRoleBody>;
