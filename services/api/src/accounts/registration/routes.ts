import { AuthResponse, errorTexts } from "@parley/contracts";
import { z } from "zod";
import { created, none, ok, type Route, route } from "../../platform/http/route.js";
import { deviceOf } from "../auth/device.js";
import { registerBody } from "../auth/schema.js";
import type { PasswordSignIn } from "../sign-in/password-sign-in.js";
import type { Proofs } from "./proofs.js";
import type { RegistrationService } from "./service.js";

/** A challenge in the form of ALTCHA. */
const Challenge = z
  .object({
    algorithm: z.string(),
    challenge: z.string(),
    maxnumber: z.int().optional(),
    salt: z.string(),
    signature: z.string(),
  })
  .meta({ id: "Challenge" });

const Pending = z.object({ pending: z.literal(true), username: z.string() }).meta({ id: "PendingRegistration" });

export function registrationRoutes(
  registration: RegistrationService,
  { proofs, passwordSignIn }: { proofs: Proofs; passwordSignIn: PasswordSignIn },
): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/auth/challenge",
        name: "auth.challenge",
        summary: "A challenge whose answer proves work",
        description: "It is good for ten minutes and one request, at every api.",
        caller: "anyone",
        success: ok(Challenge),
      },
      ({ response }) => {
        response.set("Cache-Control", "no-store");
        return proofs.issue();
      },
    ),
    route(
      {
        method: "post",
        path: "/auth/register",
        name: "auth.register",
        summary: "Register an account",
        caller: "anyone",
        isEntrance: true,
        causes: none("nobody is connected as the new account"),
        attempts: { password: "chosen", invite_code: "unguessable" },
        body: registerBody,
        success: created(AuthResponse),
        otherAnswers: [
          {
            status: 202,
            description: "The account waits until its address is confirmed, or until an administrator approves it",
            schema: Pending,
          },
        ],
        errors: {
          invalid_input: [
            errorTexts.username_invalid,
            errorTexts.password_length,
            errorTexts.email_invalid,
            errorTexts.invite_code_required,
            errorTexts.terms_not_accepted,
            errorTexts.challenge_unsolved,
            errorTexts.email_required,
            errorTexts.email_domain_refused,
            errorTexts.application_length,
          ],
          forbidden: [errorTexts.registration_closed, errorTexts.single_sign_on_only],
          conflict: [errorTexts.username_taken, errorTexts.email_taken],
        },
      },
      async ({ body, request }) => {
        passwordSignIn.require();
        return registration.register(body, deviceOf(request));
      },
    ),
  ];
}
