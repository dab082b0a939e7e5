import { clearableHttpUrl, trimmedText } from "@parley/contracts";
import { z } from "zod";
import { unclearable } from "../http/input.js";

const name = trimmedText({ min: 1, max: 100, message: "Server name must be 1-100 characters" });
const isPublic = z.boolean("is_public must be a boolean");
const requireInvite = z.boolean("require_invite must be a boolean");

export const createServerBody = z.object({
  name,
  icon_url: clearableHttpUrl("icon_url").optional(),
  is_public: unclearable(isPublic),
  require_invite: unclearable(requireInvite),
});
export type CreateServer = z.infer<typeof createServerBody>;

export const updateServerBody = z.object({
  name: unclearable(name),
  icon_url: clearableHttpUrl("icon_url").optional(),
  is_public: unclearable(isPublic),
  require_invite: unclearable(requireInvite),
});
export type UpdateServer = z.infer<typeof updateServerBody>;
