import { errorTexts, nameText, timestamp, uuid } from "@parley/contracts";
import { z } from "zod";
import { authenticationAnswer, registrationAnswer } from "../auth/passkey-answers.js";
import { loginBody } from "../auth/schema.js";

/** A passkey of the caller's account (docs/protocol/accounts.md#30). */
export const Passkey = z
  .object({
    id: uuid,
    name: z.string(),
    created_at: timestamp,
    last_used_at: timestamp.nullable(),
    backed_up: z.boolean().meta({ description: "Whether its provider keeps a copy, so that it outlives the device" }),
  })
  .meta({ id: "Passkey" });
export type Passkey = z.infer<typeof Passkey>;

const requirement = z.enum(["required", "preferred", "discouraged"]);
const credential = z.object({ id: z.string(), type: z.string(), transports: z.array(z.string()).optional() });

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn, level 3. */
export const PasskeyCreationOptions = z
  .object({
    options: z.object({
      rp: z.object({ id: z.string().optional(), name: z.string() }),
      user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
      challenge: z.string(),
      pubKeyCredParams: z.array(z.object({ type: z.literal("public-key"), alg: z.int() })),
      timeout: z.int().optional(),
      excludeCredentials: z.array(credential).optional(),
      authenticatorSelection: z
        .object({
          residentKey: requirement.optional(),
          requireResidentKey: z.boolean().optional(),
          userVerification: requirement.optional(),
        })
        .optional(),
      attestation: z.enum(["none", "indirect", "direct", "enterprise"]).optional(),
      extensions: z.object({ credProps: z.boolean().optional() }).optional(),
      hints: z.array(z.enum(["security-key", "client-device", "hybrid"])).optional(),
    }),
  })
  .meta({ id: "PasskeyCreationOptions", description: "What `navigator.credentials.create` takes, as JSON" });
export type PasskeyCreationOptions = z.infer<typeof PasskeyCreationOptions>;

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn, level 3. */
export const PasskeyRequestOptions = z
  .object({
    options: z.object({
      rpId: z.string().optional(),
      challenge: z.string(),
      timeout: z.int().optional(),
      userVerification: requirement.optional(),
      allowCredentials: z.array(credential).optional(),
    }),
  })
  .meta({ id: "PasskeyRequestOptions", description: "What `navigator.credentials.get` takes, as JSON" });
export type PasskeyRequestOptions = z.infer<typeof PasskeyRequestOptions>;

const name = nameText({ min: 1, max: 64, message: errorTexts.passkey_name_length });

export const registerPasskeyBody = z.object({ name, response: registrationAnswer });
export type RegisterPasskey = z.output<typeof registerPasskeyBody>;
export const renamePasskeyBody = z.object({ name: name.nullish() });

export const authenticateBody = z.object({ response: authenticationAnswer });
/** Name and password. */
export const secondFactorOptionsBody = loginBody.pick({ username: true, password: true });
