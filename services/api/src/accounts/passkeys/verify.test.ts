import { errorTexts } from "@parley/contracts";
import { createAuthenticator, createCredential, type Deviation, passkeyForgeries, publicUrl } from "@parley/testing";
import { describe, expect, test } from "vitest";
import type { AuthenticationAnswer, RegistrationAnswer } from "../auth/passkey-answers.js";
import { loginBody } from "../auth/schema.js";
import { authenticateBody, registerPasskeyBody } from "./schema.js";
import { passkeySite } from "./site.js";
import { challengeOf, verifyAuthentication, verifyRegistration } from "./verify.js";

const site = passkeySite(publicUrl) ?? expect.fail("no site");
const authenticator = createAuthenticator(publicUrl);
const asked = { options: { challenge: Buffer.alloc(32, 5).toString("base64url"), user: { id: "AAAA" } } };
const { challenge } = asked.options;
const key = createCredential();
key.userHandle = asked.options.user.id;
const login = (deviation?: Deviation) => authenticator.get(asked, key, deviation);

type Verdict = "accepted" | "invalid" | "unreadable";
/** A body as the routes read it: the answer that it holds, or none. */
const read = <A>({
  success,
  data,
  error,
}: {
  success: boolean;
  data?: A;
  error?: { issues: { message: string }[] };
}) => {
  if (success && data !== undefined) return data;
  expect(error?.issues.map(({ message }) => message)).toContain(errorTexts.passkey_unreadable);
  return null;
};

async function judge(answer: AuthenticationAnswer, requireUserVerification: boolean): Promise<Verdict> {
  const credential = { public_key: key.publicKey, counter: 0 };
  const state = await verifyAuthentication(site, answer, { challenge, credential, requireUserVerification });
  return challengeOf(answer) === undefined || state === null ? "invalid" : "accepted";
}
async function judgeLogin(response: unknown): Promise<Verdict> {
  const body = read(authenticateBody.safeParse({ response }));
  return body === null ? "unreadable" : judge(body.response, true);
}
async function judgeSecondFactor(passkey: unknown): Promise<Verdict> {
  const body = read(loginBody.safeParse({ username: "ann", password: "password", passkey }));
  if (body === null) return "unreadable";
  return body.passkey === undefined ? expect.fail("no answer is given") : judge(body.passkey, false);
}
async function judgeRegistration(response: unknown): Promise<Verdict> {
  const body = read(registerPasskeyBody.safeParse({ name: "Phone", response }));
  if (body === null) return "unreadable";
  const answer: RegistrationAnswer = body.response;
  const registered = await verifyRegistration(site, answer, challenge);
  return challengeOf(answer) === undefined || registered === null ? "invalid" : "accepted";
}

describe("a login with a passkey", () => {
  const { deviations, changes, malformed } = passkeyForgeries.login;

  test("is accepted with a right answer", async () => {
    expect(await judgeLogin(login())).toBe("accepted");
  });
  test.each(Object.entries(deviations))("is refused with %s", async (_name, deviation) => {
    expect(await judgeLogin(login(deviation))).toBe("invalid");
  });
  test.each(Object.entries(changes))("is refused with %s", async (_name, change) => {
    expect(await judgeLogin(change(login(), key.privateKey))).toBe("invalid");
  });
  test.each(Object.entries(malformed))("is refused with %s in place of an answer", async (_name, change) => {
    expect(await judgeLogin(change(login()))).toBe("unreadable");
  });
});

describe("a passkey in place of the code", () => {
  const { malformed } = passkeyForgeries.login;

  test.each([
    ["a right answer", {}],
    ["nobody verified", { flags: 1 }],
  ])("is accepted with %s", async (_name, deviation) => {
    expect(await judgeSecondFactor(login(deviation))).toBe("accepted");
  });
  test.each(Object.entries(passkeyForgeries.secondFactor.deviations))(
    "is refused with %s",
    async (_name, deviation) => {
      expect(await judgeSecondFactor(login(deviation))).toBe("invalid");
    },
  );
  // Without an answer the api asks for the code.
  test.each(Object.entries(malformed).filter(([name]) => !["nothing", "null"].includes(name)))(
    "is refused with %s in place of an answer",
    async (_name, change) => {
      expect(await judgeSecondFactor(change(login()))).toBe("unreadable");
    },
  );
});

describe("the registration of a passkey", () => {
  const { deviations, changes, malformed } = passkeyForgeries.registration;
  const created = (deviation?: Deviation) => authenticator.create(asked, createCredential(), deviation);

  test("is accepted with a right answer", async () => {
    expect(await judgeRegistration(created())).toBe("accepted");
  });
  test.each(Object.entries(deviations))("is refused with %s", async (_name, deviation) => {
    expect(await judgeRegistration(created(deviation))).toBe("invalid");
  });
  test.each(Object.entries(changes))("is refused with %s in its answer", async (_name, change) => {
    expect(await judgeRegistration(change(created()))).toBe("invalid");
  });
  test.each(Object.entries(malformed))("is refused with %s in its answer", async (_name, change) => {
    expect(await judgeRegistration(change(created()))).toBe("unreadable");
  });
});
