import {
  allPermissionBits,
  clearableText,
  errorTexts,
  nameText,
  permissionFieldText,
  uuidInput,
} from "@parley/contracts";
import { z } from "zod";
import { deliveryUrl, nonNull } from "../../platform/http/input.js";

/** Texts of the 400 answers (docs/protocol/apps.md#12). */

const name = nameText({ min: 1, max: 64, message: errorTexts.bot_name_length }).refine(
  (value) => /[\p{L}\p{N}]/u.test(value),
  errorTexts.bot_name_alphanumeric,
);
const description = clearableText(512, errorTexts.bot_description_length).optional();

export const createBotBody = z.object({ name, description });
export type CreateBot = z.infer<typeof createBotBody>;

/** @param message text of the 400 */
const bits = (message: string) =>
  z.int(message).min(0, message).max(allPermissionBits, message).meta({ description: permissionFieldText });

export const updateBotBody = z.object({
  name: nonNull(name),
  description,
  is_public: nonNull(z.boolean(errorTexts.is_public_not_boolean)),
  requested_permissions: nonNull(bits(errorTexts.requested_permissions_range)),
  interactions_url: deliveryUrl({
    invalid: errorTexts.interactions_url_invalid,
    tooLong: errorTexts.interactions_url_invalid,
  })
    .nullable()
    .optional(),
});
/** The fields that a bot may change of itself. */
export const updateOwnBotBody = updateBotBody.pick({ name: true, description: true, interactions_url: true });
export type UpdateBot = z.infer<typeof updateBotBody>;

export const addBotBody = z.object({
  bot_id: uuidInput(errorTexts.bot_id_invalid),
  permissions: bits(errorTexts.permissions_range),
});
export type AddBot = z.infer<typeof addBotBody>;
