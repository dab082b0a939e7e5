import { errorTexts, forbidden } from "@parley/contracts";
import type { Device } from "../auth/device.js";
import type { RequirePassword } from "../auth/require-password.js";
import type { OwnerCredentials } from "../auth/schema.js";
import type { SecondFactor } from "./service.js";

/** Checks password and code before the account gets a credential that replaces both. */
export function createRequireOwner(options: { requirePassword: RequirePassword; secondFactor: SecondFactor }) {
  const { requirePassword, secondFactor } = options;
  /** @throws ServiceError as `requirePassword`; 403 without the code of a second factor that is active, and for a wrong one */
  return async (userId: string, { password, code }: OwnerCredentials, device: Device) => {
    const account = await requirePassword(userId, password, device);
    const factor = await secondFactor.check(userId, code, device);
    if (factor === "missing") throw forbidden(errorTexts.second_factor_required);
    if (factor === "wrong") throw forbidden(errorTexts.second_factor_invalid);
    return account;
  };
}

/** Asks for password and code once more, and reads the account. */
export type RequireOwner = ReturnType<typeof createRequireOwner>;
