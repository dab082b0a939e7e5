import { allPermissionBits, errorTexts, nameText, permissionFieldText, rightNames } from "@parley/contracts";
import { z } from "zod";
import { namesOf, nonNull, position } from "../../platform/http/input.js";

const name = nameText({ min: 1, max: 100, message: errorTexts.role_name_length });
const rights = namesOf(rightNames, { list: errorTexts.rights_list, unknown: errorTexts.right_unknown });

const optional = {
  rights: nonNull(rights),
  permissions: nonNull(
    z
      .int(errorTexts.permissions_range)
      .min(0, errorTexts.permissions_range)
      .max(allPermissionBits, errorTexts.permissions_range),
  ).meta({ description: permissionFieldText }),
  color: nonNull(z.string(errorTexts.color_invalid).regex(/^#[0-9A-Fa-f]{6}$/, errorTexts.color_invalid)),
  position: nonNull(position),
  mentionable: nonNull(z.boolean(errorTexts.mentionable_not_boolean)),
};

export const createRoleBody = z.object({ name, ...optional });
export type CreateRole = z.infer<typeof createRoleBody>;

export const updateRoleBody = z.object({ name: nonNull(name), ...optional });
export type UpdateRole = z.infer<typeof updateRoleBody>;

/** Whether the answer has `rights` (docs/protocol/permissions.md#24.2). */
export const rolesQuery = z.object({
  rights: z
    .string()
    .optional()
    .transform((value) => value === "true")
    .meta({ type: "boolean", description: "Whether roles have `rights`" }),
});
