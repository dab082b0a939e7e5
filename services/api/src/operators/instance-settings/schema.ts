import { errorTexts, timestamp, uuid } from "@parley/contracts";
import { z } from "zod";
import { nonNull } from "../../platform/http/input.js";

const RegistrationMode = z.enum(["open", "invite_only", "closed"], errorTexts.registration_mode_invalid);

/** The registration mode of the instance (docs/protocol/operators.md#18.1). */
export const RegistrationSetting = z.object({ registration_mode: RegistrationMode }).meta({ id: "RegistrationMode" });

/** The settings of the installation; there is one row of them. */
export const InstanceSettings = z
  .object({
    id: z.literal(1),
    registration_mode: RegistrationMode,
    updated_at: timestamp,
    updated_by: uuid.nullable(),
  })
  .meta({ id: "InstanceSettings" });
export type InstanceSettings = z.infer<typeof InstanceSettings>;

export const updateSettingsBody = z.object({ registration_mode: nonNull(RegistrationMode) });
export type UpdateSettings = z.infer<typeof updateSettingsBody>;
