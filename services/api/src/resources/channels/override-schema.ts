import { allPermissionBits, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { overrideErrors } from "./override-error-texts.js";

function bits(field: string) {
  const message = `${field} must be between 0 and ${allPermissionBits}`;
  return z.int(message).min(0, message).max(allPermissionBits, message);
}

export const putOverrideBody = z
  .object({
    role_id: uuidInput(overrideErrors.roleId).nullish(),
    user_id: uuidInput(overrideErrors.userId).nullish(),
    allow: bits("allow"),
    deny: bits("deny"),
  })
  .transform(({ role_id, user_id, allow, deny }, context) => {
    const refuse = (message: string) => {
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    };
    if (role_id && user_id) return refuse(overrideErrors.twoTargets);
    if ((allow & deny) !== 0 && (role_id || user_id)) return refuse("allow and deny must not have overlapping bits");
    if (role_id) return { target: "role_id", targetId: role_id, allow, deny } as const;
    if (user_id) return { target: "user_id", targetId: user_id, allow, deny } as const;
    return refuse(overrideErrors.noTarget);
  });
/** The target of an override, and its bits. */
export type PutOverride = z.infer<typeof putOverrideBody>;
