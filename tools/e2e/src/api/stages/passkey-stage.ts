import {
  createAuthenticator,
  createClient,
  createCredential,
  publicUrl,
  type RestClient,
  type SoftCredential,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { Secret, TOTP } from "otpauth";
import { z } from "zod";

export const path = "/auth/passkeys";

const User = z.object({ id: z.string(), name: z.string(), displayName: z.string() });
export const Creation = z.object({ options: z.looseObject({ challenge: z.string(), user: User }) });
export const Request = z.object({ options: z.looseObject({ challenge: z.string() }) });
export const Passkey = z.strictObject({
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
  backed_up: z.boolean(),
});

/** Two apis that take turns, where passkeys are on. */
export async function createPasskeyStage() {
  const stack = await sharedStack();
  const [one, other] = stack.apis.map(({ url }) => createClient(url));
  if (one === undefined || other === undefined) throw new Error("two apis are needed");
  const authenticator = createAuthenticator(publicUrl);

  const beginCreation = async (user: UserClient, code?: string) =>
    (await user.post(`${path}/registration/options`, { password: user.password, code })).expect(200, Creation);
  const beginLogin = async (client: RestClient = one) =>
    (await client.post(`${path}/authentication/options`)).expect(200, Request);
  const beginSecondFactor = async ({ username, password }: UserClient) =>
    (await one.post(`${path}/second-factor/options`, { username, password })).expect(200, Request);

  return {
    stack,
    one,
    other,
    authenticator,
    beginCreation,
    beginLogin,
    beginSecondFactor,

    /** Adds a passkey to an account. */
    async add(user: UserClient, credential: SoftCredential = createCredential(), name = "Phone") {
      const response = authenticator.create(await beginCreation(user), credential);
      const passkey = (await user.post(`${path}/registration`, { name, response })).expect(201, Passkey);
      return { passkey, credential };
    },

    /** Begins at one api and answers at the other one. */
    logIn: async (credential: SoftCredential) =>
      other.post(`${path}/authentication`, { response: authenticator.get(await beginLogin(), credential) }),
  };
}

/** Turns the second factor on. */
export async function activateCodes(user: UserClient) {
  const begun = await user.post("/auth/second-factor", { password: user.password });
  const { secret } = begun.expect(201, z.object({ secret: z.string() }));
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const confirmed = await user.post("/auth/second-factor/confirm", { code });
  return confirmed.expect(200, z.object({ recovery_codes: z.array(z.string()) })).recovery_codes;
}
