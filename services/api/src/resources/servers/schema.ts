import { clearableHttpUrl, trimmedText, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { unclearable } from "../../http/input.js";
import { passwordBody } from "../auth/schema.js";
import { serverErrors } from "./error-texts.js";

const name = trimmedText({ min: 1, max: 100, message: serverErrors.name });
const isPublic = z.boolean(serverErrors.isPublic);
const requireInvite = z.boolean(serverErrors.requireInvite);

export const createServerBody = z.object({
  name,
  icon_url: clearableHttpUrl("icon_url").optional(),
  is_public: unclearable(isPublic),
  require_invite: unclearable(requireInvite),
  template_id: uuidInput(serverErrors.unknownTemplate).nullish(),
});
export type CreateServer = z.infer<typeof createServerBody>;

export const handOverBody = passwordBody.extend({ user_id: uuidInput(serverErrors.userId) });
export type HandOverServer = z.infer<typeof handOverBody>;

export const updateServerBody = z.object({
  name: unclearable(name),
  icon_url: clearableHttpUrl("icon_url").optional(),
  is_public: unclearable(isPublic),
  require_invite: unclearable(requireInvite),
});
export type UpdateServer = z.infer<typeof updateServerBody>;
