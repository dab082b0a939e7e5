import type { UserClient } from "@parley/testing";
import { Secret, TOTP } from "otpauth";
import { expect } from "vitest";

export const factorPath = "/auth/second-factor";

/** Gives an account a second factor. */
export async function turnOnFactor(user: UserClient): Promise<void> {
  const { secret } = (await user.post(factorPath, { password: user.password })).body as { secret: string };
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  expect((await user.post(`${factorPath}/confirm`, { code })).status).toBe(200);
}
