import { codePointLength, isStorableText, text } from "@parley/contracts";
import { z } from "zod";

const usernameMessage = "Username must be 2-32 characters: letters, digits and underscores";
const passwordMessage = "Password must be 8-128 characters";
const emailMessage = "Invalid email address";
const emailLengthMax = 254;

export const registerBody = z.object({
  username: z.string(usernameMessage).regex(/^[A-Za-z0-9_]{2,32}$/, usernameMessage),
  password: text({ min: 8, max: 128, message: passwordMessage }),
  email: z
    .string(emailMessage)
    .nullish()
    .transform((value) => (value === undefined || value === "" ? null : value))
    .refine(
      (value) =>
        value === null ||
        (codePointLength(value) <= emailLengthMax && isStorableText(value) && z.email().safeParse(value).success),
      emailMessage,
    )
    .meta({ format: "email", maxLength: emailLengthMax, example: "ann@example.com" }),
});
export type Registration = z.infer<typeof registerBody>;

export const loginBody = z.object({
  username: text({ min: 1, max: 128, message: "username must be 1-128 characters" }),
  password: text({ min: 1, max: 128, message: "password must be 1-128 characters" }),
});
export type Login = z.infer<typeof loginBody>;

export const refreshBody = z.object({
  refresh_token: text({ min: 1, max: 2048, message: "refresh_token must be 1-2048 characters" }),
});
