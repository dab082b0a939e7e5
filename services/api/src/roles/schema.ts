import { allPermissionBits, trimmedText } from "@parley/contracts";
import { z } from "zod";
import { position, unclearable } from "../http/input.js";

const permissionsMessage = `Permissions must be between 0 and ${allPermissionBits}`;
const colorMessage = "color must be a hex colour";

const name = trimmedText({ min: 1, max: 100, message: "Role name must be 1-100 characters" });
const optional = {
  permissions: unclearable(
    z.int(permissionsMessage).min(0, permissionsMessage).max(allPermissionBits, permissionsMessage),
  ),
  color: unclearable(z.string(colorMessage).regex(/^#[0-9A-Fa-f]{6}$/, colorMessage)),
  position: unclearable(position),
};

export const createRoleBody = z.object({ name, ...optional });
export type CreateRole = z.infer<typeof createRoleBody>;

export const updateRoleBody = z.object({ name: unclearable(name), ...optional });
export type UpdateRole = z.infer<typeof updateRoleBody>;
