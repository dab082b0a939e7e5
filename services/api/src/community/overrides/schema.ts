import { allPermissionBits, errorTexts, uuidInput } from "@parley/contracts";
import { z } from "zod";

function bits(field: "allow" | "deny") {
  const message = errorTexts[`${field}_range`];
  return z.int(message).min(0, message).max(allPermissionBits, message);
}

export const putOverrideBody = z
  .object({
    role_id: uuidInput(errorTexts.role_id_invalid).nullish(),
    user_id: uuidInput(errorTexts.user_id_invalid).nullish(),
    allow: bits("allow"),
    deny: bits("deny"),
  })
  .transform(({ role_id, user_id, allow, deny }, context) => {
    const reject = (message: string) => {
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    };
    if (role_id && user_id) return reject(errorTexts.override_two_targets);
    if ((allow & deny) !== 0 && (role_id || user_id)) return reject(errorTexts.override_bits_overlap);
    if (role_id) return { target: "role_id", targetId: role_id, allow, deny } as const;
    if (user_id) return { target: "user_id", targetId: user_id, allow, deny } as const;
    return reject(errorTexts.override_target_required);
  });
/** The target of an override, and its bits. */
export type PutOverride = z.infer<typeof putOverrideBody>;
