import { clearableHttpUrl, clearablePictureUrl, errorTexts, nameText, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { passwordBody } from "../../accounts/auth/schema.js";
import { nonNull } from "../../platform/http/input.js";

const name = nameText({ min: 1, max: 100, message: errorTexts.server_name_length });
const isPublic = z.boolean(errorTexts.is_public_not_boolean);
const requireInvite = z.boolean(errorTexts.require_invite_not_boolean);
const hierarchy = z.boolean(errorTexts.hierarchy_not_boolean);

export const createServerBody = z.object({
  name,
  icon_url: clearableHttpUrl("icon_url").optional(),
  is_public: nonNull(isPublic),
  require_invite: nonNull(requireInvite),
  hierarchy: nonNull(hierarchy),
  template_id: uuidInput(errorTexts.template_unknown).nullish(),
});
export type CreateServer = z.infer<typeof createServerBody>;

export const handOverBody = passwordBody.extend({ user_id: uuidInput(errorTexts.user_id_invalid) });
export type HandOverServer = z.infer<typeof handOverBody>;

export const updateServerBody = z.object({
  name: nonNull(name),
  icon_url: clearablePictureUrl("icon_url").optional(),
  is_public: nonNull(isPublic),
  require_invite: nonNull(requireInvite),
  hierarchy: nonNull(hierarchy),
});
export type UpdateServer = z.infer<typeof updateServerBody>;
