import { createHash, type KeyObject, sign } from "node:crypto";
import { type Deviation, flags, type SoftAuthenticator } from "./authenticator.js";
import type { CborValue } from "./cbor.js";
import { publicUrl } from "./equipped-stack.js";

type Answer = ReturnType<SoftAuthenticator["get"]>;
type Registration = ReturnType<SoftAuthenticator["create"]>;

const { present, verified, mayBeCopied, isCopied, hasKey, hasExtensions } = flags;
const text = (value: string) => Buffer.from(value).toString("base64url");
const bytes = (value: string) => Buffer.from(value, "base64url");
const inClientData = (name: string, value: unknown): Deviation => ({ clientData: { [name]: value } });

/** Client data of a page of another kind or place; the authenticator signs them. */
const pages: Record<string, Deviation> = {
  "an origin by plain HTTP": inClientData("origin", "http://chat.example.com"),
  "the origin of another host": inClientData("origin", "https://evil.example"),
  "the origin of a host below": inClientData("origin", "https://evil.chat.example.com"),
  "the origin of the host above": inClientData("origin", "https://example.com"),
  "the origin of another port": inClientData("origin", `${publicUrl}:8443`),
  "an origin that begins like ours": inClientData("origin", `${publicUrl}.evil.example`),
  "an origin that ends like ours": inClientData("origin", "https://evilchat.example.com"),
  "an origin with a path": inClientData("origin", `${publicUrl}/`),
  "an origin in capitals": inClientData("origin", publicUrl.toUpperCase()),
  "the origin of a sandbox": inClientData("origin", "null"),
  "the origin of another application": inClientData("origin", "android:apk-key-hash:aaaaaaaaaaaaaaaaaaaaaaaaaaa"),
  "no origin": inClientData("origin", undefined),
  "a list of origins": inClientData("origin", [publicUrl]),
  "a frame of another site": inClientData("crossOrigin", true),
  "a frame of a named site": { clientData: { crossOrigin: true, topOrigin: "https://evil.example" } },
  "a frame of our own": { clientData: { crossOrigin: true, topOrigin: publicUrl } },
  "the site above, but no frame": inClientData("topOrigin", publicUrl),
  "a frame by a word": inClientData("crossOrigin", "true"),
  "a token binding by a word": inClientData("tokenBinding", "present"),
  "an unknown token binding": inClientData("tokenBinding", { status: "other" }),
  "another type": inClientData("type", "payment.get"),
  "no type": inClientData("type", undefined),
  "a list of types": inClientData("type", ["webauthn.get", "webauthn.create"]),
  "no challenge": inClientData("challenge", undefined),
  "an empty challenge": inClientData("challenge", ""),
  "a challenge of nobody": inClientData("challenge", text("32 bytes that nobody has sent...")),
  "null for a challenge": inClientData("challenge", null),
  "a number for a challenge": inClientData("challenge", 7),
  "another key of the store for a challenge": inClientData("challenge", "*"),
  "client data that is no JSON": { clientText: "challenge" },
  "null for client data": { clientText: "null" },
  "a list for client data": { clientText: "[]" },
  "a text for client data": { clientText: '"challenge"' },
  "half of the client data": { clientText: '{"type":"webauthn.get","challenge":"' },
};

/** Data of an authenticator for another site, or without its owner. */
const authenticators: Record<string, Deviation> = {
  "another site": { rpId: "evil.example" },
  "the site below": { rpId: "evil.chat.example.com" },
  "the site above": { rpId: "example.com" },
  "the origin for a site": { rpId: publicUrl },
  "no site": { rpId: "" },
  "nobody present": { flags: 0 },
  "somebody verified, but not present": { flags: verified },
  "a copy of what may not be copied": { flags: present | verified | isCopied },
  "extensions that do not follow": { flags: present | verified | hasExtensions },
};

/** Answers that a browser never makes of a right one, by the page or the authenticator. */
const deviations: Record<string, Deviation> = { ...pages, ...authenticators };

/** The same for answers to a login alone. */
const loginDeviations: Record<string, Deviation> = {
  ...deviations,
  "the type of a registration": inClientData("type", "webauthn.create"),
  "nobody verified": { flags: present },
  "nobody verified, by a copied passkey": { flags: present | mayBeCopied | isCopied },
  "a key that does not follow": { flags: present | verified | hasKey },
  "bytes after the data": { trailing: Buffer.from([0]) },
  "a copy of the authenticator data after it": { trailing: Buffer.alloc(37) },
  "a hash that is too weak": { hash: "sha1" },
  "another hash": { hash: "sha512" },
  "a signature of nothing": { signed: Buffer.alloc(0) },
};

/** Right answers in the name of somebody else, which only the stored passkeys give away. */
const strangers: Record<string, Deviation> = {
  "no account": { userHandle: null },
  "an unknown account": { userHandle: text("0123456789abcdef") },
  "an account by its name": { userHandle: text("ann") },
  "an unknown passkey": { credentialId: Buffer.alloc(32, 7) },
  "a short unknown passkey": { credentialId: Buffer.from([1]) },
};

const flip = (value: string, at: number) => {
  const changed = bytes(value);
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
  return changed.toString("base64url");
};
const inResponse = (answer: Answer, response: Partial<Record<keyof Answer["response"], unknown>>) => ({
  ...answer,
  response: { ...answer.response, ...response },
});
const signedPart = ({ response }: Answer) =>
  Buffer.concat([
    bytes(response.authenticatorData),
    createHash("sha256").update(bytes(response.clientDataJSON)).digest(),
  ]);
const withData = (answer: Answer, change: (data: Buffer) => Buffer) =>
  inResponse(answer, { authenticatorData: change(bytes(answer.response.authenticatorData)).toString("base64url") });
const inSignedPage = (answer: Answer, changes: Record<string, unknown>) => {
  const page = JSON.parse(bytes(answer.response.clientDataJSON).toString());
  return inResponse(answer, { clientDataJSON: text(JSON.stringify({ ...page, ...changes })) });
};

/** Changes of a right answer after it was signed. */
const changes: Record<string, (answer: Answer, key: KeyObject) => unknown> = {
  "half of the signature": (answer) => inResponse(answer, { signature: answer.response.signature.slice(0, 40) }),
  "another bit of the signature": (answer) => inResponse(answer, { signature: flip(answer.response.signature, 20) }),
  "zeros for a signature": (answer) => inResponse(answer, { signature: Buffer.alloc(70).toString("base64url") }),
  "a signature with r and s of zero": (answer) =>
    inResponse(answer, { signature: Buffer.from([48, 6, 2, 1, 0, 2, 1, 0]).toString("base64url") }),
  "a signature in another form": (answer, key) =>
    inResponse(answer, {
      signature: sign("sha256", signedPart(answer), { key, dsaEncoding: "ieee-p1363" }).toString("base64url"),
    }),
  "a signature of the data alone": (answer, key) =>
    inResponse(answer, {
      signature: sign("sha256", bytes(answer.response.authenticatorData), key).toString("base64url"),
    }),
  "a signature of the page alone": (answer, key) =>
    inResponse(answer, { signature: sign("sha256", bytes(answer.response.clientDataJSON), key).toString("base64url") }),
  "another site after signing": (answer) =>
    inResponse(answer, { authenticatorData: flip(answer.response.authenticatorData, 0) }),
  "a copied passkey after signing": (answer) =>
    withData(answer, (data) =>
      Buffer.concat([data.subarray(0, 32), Buffer.from([present | verified | mayBeCopied]), data.subarray(33)]),
    ),
  "a higher count after signing": (answer) =>
    withData(answer, (data) => Buffer.concat([data.subarray(0, 33), Buffer.from([0, 255, 0, 0])])),
  "authenticator data without its last byte": (answer) => withData(answer, (data) => data.subarray(0, 36)),
  "authenticator data of one byte": (answer) => withData(answer, (data) => data.subarray(0, 1)),
  "another page after signing": (answer) => inSignedPage(answer, { extra: true }),
  "the page with blanks after signing": (answer) =>
    inResponse(answer, { clientDataJSON: text(`${bytes(answer.response.clientDataJSON).toString()} `) }),
};

/** Answers that are none, whatever they say. */
const malformed: Record<string, (answer: Answer) => unknown> = {
  nothing: () => undefined,
  null: () => null,
  "a text": (answer) => JSON.stringify(answer),
  "a list": (answer) => [answer],
  "no response": ({ response: _, ...answer }) => answer,
  "a list for a response": (answer) => ({ ...answer, response: [] }),
  "no id": ({ id: _, ...answer }) => answer,
  "an empty id": (answer) => ({ ...answer, id: "", rawId: "" }),
  "an id with padding": (answer) => ({ ...answer, id: `${answer.id}=` }),
  "an id in plain base64": (answer) => ({ ...answer, id: "++//", rawId: "++//" }),
  "an id of 1,024 bytes": (answer) => {
    const id = Buffer.alloc(1_024).toString("base64url");
    return { ...answer, id, rawId: id };
  },
  "no raw id": ({ rawId: _, ...answer }) => answer,
  "another type": (answer) => ({ ...answer, type: "password" }),
  "no type": ({ type: _, ...answer }) => answer,
  "no client data": (answer) => inResponse(answer, { clientDataJSON: undefined }),
  "client data of 9,000 characters": (answer) => inResponse(answer, { clientDataJSON: "A".repeat(9_000) }),
  "no authenticator data": (answer) => inResponse(answer, { authenticatorData: undefined }),
  "empty authenticator data": (answer) => inResponse(answer, { authenticatorData: "" }),
  "authenticator data as bytes": (answer) => inResponse(answer, { authenticatorData: [1, 2] }),
  "no signature": (answer) => inResponse(answer, { signature: undefined }),
  "null for a signature": (answer) => inResponse(answer, { signature: null }),
  "a number for a signature": (answer) => inResponse(answer, { signature: 7 }),
  "a signature with blanks": (answer) => inResponse(answer, { signature: `${answer.response.signature} ` }),
  "a number for an account": (answer) => inResponse(answer, { userHandle: 7 }),
};

const coordinates = `215820${"11".repeat(32)}225820${"22".repeat(32)}`;
const cose = (hex: string): Deviation => ({ publicKey: Buffer.from(hex, "hex") });
const statement = (format: string, entries: [string, CborValue][]): Deviation => ({
  format,
  statement: new Map<CborValue, CborValue>(entries),
});

/** The same for answers to a registration alone. */
const registrationDeviations: Record<string, Deviation> = {
  ...deviations,
  "the type of a login": inClientData("type", "webauthn.get"),
  "no key": { flags: present | verified, publicKey: Buffer.alloc(0) },
  "the id of another passkey in its data": { credentialId: Buffer.alloc(32, 3) },
  "bytes after the key": { trailing: Buffer.from([0]) },
  "a key of an algorithm that was not asked for": cose(`a501020338222002${coordinates}`),
  "a key for RSA with SHA-1": cose("a30103033afffe20fe"),
  "a key without an algorithm": cose(`a401022001${coordinates}`),
  "an empty key": cose("a0"),
  "a text for a key": cose("6161"),
  "an unknown statement": { format: "other" },
  "a statement without its format": { statement: new Map([["sig", Buffer.from([1])]]) },
  "a statement of a certificate": statement("packed", [
    ["alg", -7],
    ["sig", Buffer.alloc(70)],
    ["x5c", [Buffer.alloc(100)]],
  ]),
  "a wrong statement of its own": statement("packed", [
    ["alg", -7],
    ["sig", Buffer.alloc(70)],
  ]),
  "an empty statement of fido-u2f": { format: "fido-u2f" },
  "an empty statement of tpm": { format: "tpm" },
  "an empty statement of android-key": { format: "android-key" },
  "an empty statement of android-safetynet": { format: "android-safetynet" },
  "an empty statement of apple": { format: "apple" },
};

const attested = (answer: Registration, attestation: Buffer) => ({
  ...answer,
  response: { ...answer.response, attestationObject: attestation.toString("base64url") },
});

/** Changes of a right answer to a registration. */
const registrationChanges: Record<string, (answer: Registration) => unknown> = {
  "another raw id": (answer) => ({ ...answer, rawId: "AAAA" }),
  "a statement that is no CBOR": (answer) => attested(answer, Buffer.from("attestation")),
  "half of a statement": (answer) => attested(answer, bytes(answer.response.attestationObject).subarray(0, 60)),
  "a deep statement": (answer) => attested(answer, Buffer.alloc(12_000, 0x81)),
};

/** Answers to a registration that are none, whatever they say. */
const malformedRegistrations: Record<string, (answer: Registration) => unknown> = {
  "a long statement": (answer) => attested(answer, Buffer.alloc(13_000)),
  "no statement": (answer) => ({ ...answer, response: { clientDataJSON: "AAAA" } }),
  "ways that are none": (answer) => ({ ...answer, response: { ...answer.response, transports: ["<b>"] } }),
  nothing: () => undefined,
  "a text": () => "answer",
};

/**
 * Answers of authenticators that the api must refuse, by their name: `deviations` are signed as they are, by the
 * authenticator, `changes` are made of a right answer, and the `malformed` ones are no answers at all.
 */
export const passkeyForgeries = {
  login: { deviations: loginDeviations, strangers, changes, malformed },
  secondFactor: { deviations },
  registration: {
    deviations: registrationDeviations,
    changes: registrationChanges,
    malformed: malformedRegistrations,
  },
};
