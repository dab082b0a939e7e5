import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { type CborValue, encodeCbor } from "./cbor.js";

/** Bits of an answer: somebody is there, and was verified; the key may be copied, and is; a key follows; extensions follow. */
export const flags = { present: 1, verified: 4, mayBeCopied: 8, isCopied: 16, hasKey: 64, hasExtensions: 128 } as const;

/** A key of an authenticator. */
export interface SoftCredential {
  readonly id: Buffer;
  readonly privateKey: KeyObject;
  /** COSE. */
  readonly publicKey: Buffer;
  /** base64url: the account that it was made for. */
  userHandle: string;
  counter: number;
}

/** The part of a request that an authenticator reads. */
export interface Asked {
  options: { challenge: string };
}

/** The wrong parts of an answer. */
export interface Deviation {
  /** Fields of the client data; undefined leaves one out. */
  clientData?: Record<string, unknown>;
  /** In place of the whole client data. */
  clientText?: string;
  rpId?: string;
  flags?: number;
  counter?: number;
  /** The key that signs. */
  signer?: KeyObject;
  hash?: "sha256" | "sha1" | "sha512";
  /** Replaces the signed bytes. */
  signed?: Buffer;
  userHandle?: string | null;
  credentialId?: Buffer;
  publicKey?: Buffer;
  format?: string;
  statement?: ReadonlyMap<CborValue, CborValue>;
  /** A statement that the new key itself signs. */
  selfAttested?: true;
  /** After the authenticator data. */
  trailing?: Buffer;
}

/** No statement about the make of the authenticator. */
const none = { format: "none", statement: new Map<CborValue, CborValue>() };

const selfAttestation = (signed: Buffer, { privateKey }: SoftCredential) => ({
  format: "packed",
  statement: new Map<CborValue, CborValue>([
    ["alg", -7],
    ["sig", sign("sha256", signed, privateKey)],
  ]),
});

export type SoftAlgorithm = "ES256" | "EdDSA" | "RS256";

/** Makes a key that nobody has registered. */
export function createCredential(algorithm: SoftAlgorithm = "ES256"): SoftCredential {
  const { privateKey, publicKey } = keyPair(algorithm);
  const { x = "", y = "", n = "", e = "" } = publicKey.export({ format: "jwk" });
  const bytes = (text: string) => Buffer.from(text, "base64url");
  const cose: Record<SoftAlgorithm, [number, CborValue][]> = {
    ES256: [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ],
    EdDSA: [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytes(x)],
    ],
    RS256: [
      [1, 3],
      [3, -257],
      [-1, bytes(n)],
      [-2, bytes(e)],
    ],
  };
  return {
    id: randomBytes(32),
    privateKey,
    publicKey: encodeCbor(new Map(cose[algorithm])),
    userHandle: "",
    counter: 0,
  };
}

function keyPair(algorithm: SoftAlgorithm) {
  if (algorithm === "EdDSA") return generateKeyPairSync("ed25519");
  if (algorithm === "RS256") return generateKeyPairSync("rsa", { modulusLength: 2048 });
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

/**
 * An authenticator with the browser before it, which answers as WebAuthn (level 3) has it, or as a test says.
 *
 * @param origin of the page that asks
 */
export function createAuthenticator(origin: string) {
  const rpIdOfPage = new URL(origin).hostname;

  const clientDataOf = (type: string, { options }: Asked, { clientData, clientText }: Deviation) =>
    Buffer.from(
      clientText ?? JSON.stringify({ type, challenge: options.challenge, origin, crossOrigin: false, ...clientData }),
    );

  const dataOf = (credential: SoftCredential, standard: number, deviation: Deviation) => {
    const { rpId = rpIdOfPage, flags: chosen = standard, counter = credential.counter } = deviation;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([chosen]), count]);
  };

  return {
    /** The answer to `navigator.credentials.create`: an attested key, without a statement about the make. */
    create(
      asked: Asked & { options: { user: { id: string } } },
      credential: SoftCredential,
      deviation: Deviation = {},
    ) {
      const { credentialId = credential.id, publicKey = credential.publicKey, trailing = Buffer.alloc(0) } = deviation;
      const clientDataJSON = clientDataOf("webauthn.create", asked, deviation);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const authData = Buffer.concat([
        dataOf(credential, flags.present | flags.verified | flags.hasKey, deviation),
        ...[Buffer.alloc(16), length, credentialId, publicKey, trailing],
      ]);
      const signed = Buffer.concat([authData, sha256(clientDataJSON)]);
      const standard = deviation.selfAttested ? selfAttestation(signed, credential) : none;
      const { format, statement } = { ...standard, ...deviation };
      const attestation = new Map<CborValue, CborValue>([
        ["fmt", format],
        ["attStmt", statement],
        ["authData", authData],
      ]);
      credential.userHandle = asked.options.user.id;
      const id = credential.id.toString("base64url");
      return {
        id,
        rawId: id,
        type: "public-key",
        authenticatorAttachment: "platform",
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientDataJSON.toString("base64url"),
          attestationObject: encodeCbor(attestation).toString("base64url"),
          transports: ["internal"],
        },
      };
    },

    /** The answer to `navigator.credentials.get`; counts, as hardware does. */
    get(asked: Asked, credential: SoftCredential, deviation: Deviation = {}) {
      credential.counter += 1;
      const { signer = credential.privateKey, hash = "sha256", credentialId = credential.id } = deviation;
      const { trailing = Buffer.alloc(0), userHandle = credential.userHandle } = deviation;
      const clientDataJSON = clientDataOf("webauthn.get", asked, deviation);
      const data = Buffer.concat([dataOf(credential, flags.present | flags.verified, deviation), trailing]);
      const signed = deviation.signed ?? Buffer.concat([data, sha256(clientDataJSON)]);
      const id = credentialId.toString("base64url");
      return {
        id,
        rawId: id,
        type: "public-key",
        authenticatorAttachment: "platform",
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientDataJSON.toString("base64url"),
          authenticatorData: data.toString("base64url"),
          signature: sign(signer.asymmetricKeyType === "ed25519" ? null : hash, signed, signer).toString("base64url"),
          ...(userHandle === null ? {} : { userHandle }),
        },
      };
    },
  };
}

/** An authenticator of a test. */
export type SoftAuthenticator = ReturnType<typeof createAuthenticator>;

function sha256(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}
