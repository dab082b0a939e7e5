import {
  allPermissionBits,
  errorTexts,
  nameText,
  permissionFieldText,
  type RightName,
  rightNames,
} from "@parley/contracts";
import { z } from "zod";
import { nonNull, position } from "../../http/input.js";

const name = nameText({ min: 1, max: 100, message: errorTexts.role_name_length });
/** Looked at up to the first unknown one: an issue for each would make a long list slow. */
const rights = z
  .array(z.unknown(), errorTexts.rights_list)
  .transform((names, context) => {
    const known = new Set<RightName>();
    for (const name of names) {
      const right = rightNames.find((candidate) => candidate === name);
      if (right === undefined) {
        context.addIssue(errorTexts.right_unknown(typeof name === "string" ? name : JSON.stringify(name)));
        return z.NEVER;
      }
      known.add(right);
    }
    return [...known];
  })
  .meta({ type: "array", items: { type: "string", enum: [...rightNames] } });

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
};

export const createRoleBody = z.object({ name, ...optional });
export type CreateRole = z.infer<typeof createRoleBody>;

export const updateRoleBody = z.object({ name: nonNull(name), ...optional });
export type UpdateRole = z.infer<typeof updateRoleBody>;

/** Whether the answer has `rights` (docs/interface.md#24.2). */
export const rolesQuery = z.object({
  rights: z
    .string()
    .optional()
    .transform((value) => value === "true")
    .meta({ type: "boolean", description: "Whether roles have `rights`" }),
});
