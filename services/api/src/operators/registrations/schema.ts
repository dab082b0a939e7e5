import { clearableText, errorTexts, timestamp, uuid, uuidInput } from "@parley/contracts";
import { z } from "zod";

/** A registration that waits for an administrator (docs/protocol/registration.md#34.2). */
export const PendingRegistration = z
  .object({
    user_id: uuid,
    username: z.string(),
    email: z.string().nullable(),
    application: z.string().nullable(),
    created_at: timestamp,
    network: z.string().meta({ description: "A /24 of IPv4, a /64 of IPv6", example: "192.0.2.0/24" }),
  })
  .meta({ id: "Registration" });
export type PendingRegistration = z.infer<typeof PendingRegistration>;

export const RegistrationPage = z
  .object({ registrations: z.array(PendingRegistration), total: z.int() })
  .meta({ id: "RegistrationPage" });

export const declineBody = z.object({ reason: clearableText(500, errorTexts.decline_reason_length).optional() });

export const registrationQuery = z.object({
  state: z.enum(["pending", "declined"], errorTexts.registration_state_invalid).default("pending"),
  before: uuidInput(errorTexts.before_invalid).optional(),
});
