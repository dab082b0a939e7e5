import { clearableText, codePointLength, errorTexts, isStorableText, text, usernamePattern } from "@parley/contracts";
import { z } from "zod";
import { authenticationAnswer } from "./passkey-answers.js";

const emailLengthMax = 254;

const newPassword = text({ min: 8, max: 128, message: errorTexts.password_length });
/** Whether a text is an address that an account may have. */
export const isEmail = (value: string) =>
  codePointLength(value) <= emailLengthMax && isStorableText(value) && z.email().safeParse(value).success;

export const newUsername = z.string(errorTexts.username_invalid).regex(usernamePattern, errorTexts.username_invalid);
/** Judged where the installation asks for it, so that elsewhere any value passes. */
const altcha = z.unknown().optional().meta({ type: "string", description: "The answer to `GET /auth/challenge`" });

export const registerBody = z.object({
  username: newUsername,
  password: newPassword,
  email: z
    .string(errorTexts.email_invalid)
    .nullish()
    .transform((value) => (value === undefined || value === "" ? null : value))
    .refine((value) => value === null || isEmail(value), errorTexts.email_invalid)
    .meta({ format: "email", maxLength: emailLengthMax, example: "ann@example.com" }),
  application: clearableText(1_000, errorTexts.application_length)
    .optional()
    .transform((value) => value ?? null)
    .meta({ description: "For administrators, where they approve registrations" }),
  altcha,
  accepted_terms: z
    .unknown()
    .optional()
    .meta({ type: "boolean", description: "true where the installation has terms" }),
  // Read in one registration mode only, so that in the others any value passes.
  invite_code: z
    .unknown()
    .optional()
    .meta({ type: "string", description: "Needed while registration is `invite_only`" }),
});
export type Registration = z.infer<typeof registerBody>;

/** The code of a second factor, or one that stands in for it. */
const code = text({ min: 1, max: 64, message: errorTexts.code_length });

/** The same for requests that need it only from accounts with a second factor. */
export const optionalCode = code.nullish().transform((value) => value ?? undefined);

export const loginBody = z.object({
  username: text({ min: 1, max: 128, message: errorTexts.login_username_length }),
  password: text({ min: 1, max: 128, message: errorTexts.login_password_length }),
  code: optionalCode,
  passkey: authenticationAnswer
    .nullish()
    .transform((value) => value ?? undefined)
    .meta({ description: "In place of `code`: the answer to what `POST /auth/passkeys/second-factor/options` gave" }),
});
export type Login = z.infer<typeof loginBody>;

export const refreshBody = z.object({
  refresh_token: text({ min: 1, max: 2048, message: errorTexts.refresh_token_length }),
});

export const forgotPasswordBody = z.object({
  email: z.string(errorTexts.email_invalid).refine(isEmail, errorTexts.email_invalid),
});
export const requestResetBody = forgotPasswordBody.extend({ altcha });

export const resetPasswordBody = z.object({
  token: text({ min: 1, max: 2048, message: errorTexts.reset_token_length }),
  new_password: newPassword,
});

export const changePasswordBody = z.object({
  current_password: text({ min: 1, max: 128, message: errorTexts.current_password_length }),
  new_password: newPassword,
});
export type ChangePassword = z.infer<typeof changePasswordBody>;

/** The password again, for requests that an access token alone does not allow. */
export const passwordBody = z.object({
  password: text({ min: 1, max: 128, message: errorTexts.login_password_length }),
});

/** The same with the code, to add a credential that replaces both from then on. */
export const ownerBody = passwordBody.extend({ code: optionalCode });
export type OwnerCredentials = z.output<typeof ownerBody>;

export const confirmSecondFactorBody = z.object({ code });
export const removeSecondFactorBody = passwordBody.extend({ code });

export const verifyEmailBody = z.object({ token: text({ min: 1, max: 2048, message: errorTexts.reset_token_length }) });
