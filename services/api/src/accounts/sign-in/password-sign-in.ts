import { errorTexts, forbidden } from "@parley/contracts";

/** Whether people sign in and register by password here (docs/protocol/accounts.md#29.1). */
export function createPasswordSignIn({ isAllowed }: { isAllowed: boolean }) {
  return {
    isAllowed,
    /** @throws ServiceError 403 where passwords are not used */
    require(): void {
      if (!isAllowed) throw forbidden(errorTexts.single_sign_on_only);
    },
  };
}

/** Checked by everything that signs in, registers and sets passwords without a session. */
export type PasswordSignIn = ReturnType<typeof createPasswordSignIn>;
