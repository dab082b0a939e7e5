import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { connectRedis } from "@parley/redis";
import { type EquippedStack, publicUrl, type SharedStack, waitUntil } from "@parley/testing";
import { exportJWK, type JWTPayload, SignJWT } from "jose";
import { Provider } from "oidc-provider";

/** The provider's claims about users, by their subject. */
export type People = Map<string, Record<string, unknown>>;

/** Changes the answer of one endpoint of the provider before it is sent. */
export type Tamper = (body: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** A sign-in provider as people run it, with the keys it signs with. */
export interface TestProvider {
  readonly issuer: string;
  readonly people: People;
  /** While it is set, of the answers to the exchange of codes. */
  tamper: Tamper | null;
  /** Signs as the provider does, unless the options differ. */
  readonly sign: (claims: JWTPayload, options?: Signing) => Promise<string>;
  /** Requests are answered from now on, or not. */
  setAway(isAway: boolean): void;
  /** Why logout tokens did not arrive, or were refused. */
  readonly failures: readonly string[];
  readonly close: () => Promise<void>;
}

export interface Signing {
  readonly key?: KeyObject | Uint8Array;
  readonly header?: Record<string, unknown> & { alg?: string };
}

export const clientId = "parley";
export const clientSecret = "secret-of-parley";
const kid = "test-key";

let shared: Promise<TestProvider> | undefined;

/** The provider of the shared stack, which runs until the process ends: apis keep its keys. */
export async function sharedProvider(stack: EquippedStack): Promise<TestProvider> {
  shared ??= startProvider({ publicUrl, logoutTo: () => stack.apis[0]?.url ?? "", port: stack.signIn.port });
  const provider = await shared;
  await Promise.all(stack.apis.map(({ url }) => knowsProvider(url)));
  return provider;
}

/** An api that has not found the provider looks for it again after some seconds. */
async function knowsProvider(api: string): Promise<void> {
  const isStarted = async () => (await fetch(`${api}/auth/oidc/start`, { redirect: "manual" })).status === 302;
  await waitUntil(isStarted, { what: "the api to find the provider" });
}

/** Resets the apis' count of wrong logout tokens. */
export async function forgetLogouts({ redis: { url } }: SharedStack): Promise<void> {
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const { client, close } = await connectRedis({ url, name: "test", logger });
  const keys = await client.keys("*sign-out:*");
  if (keys.length > 0) await client.del(keys);
  await close();
}

/**
 * Starts the provider.
 *
 * @param options.publicUrl of the installation whose people sign in
 * @param options.logoutTo the api that gets its logout tokens
 * @param options.port where it listens; a port of its own without it
 */
export async function startProvider(options: {
  publicUrl: string;
  logoutTo: () => string;
  port?: number;
}): Promise<TestProvider> {
  const { publicUrl, logoutTo } = options;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const people: People = new Map();
  const listening = createServer();
  await new Promise<void>((resolve) => listening.listen(options.port ?? 0, "127.0.0.1", resolve));
  const { port } = listening.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const jwk = { ...(await exportJWK(privateKey)), kid, alg: "RS256", use: "sig" };
  const provider = new Provider(issuer, {
    jwks: { keys: [jwk] },
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${publicUrl}/api/auth/oidc/callback`],
        backchannel_logout_uri: `${publicUrl}/api/auth/oidc/back-channel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    cookies: { keys: ["test"] },
    scopes: ["openid", "profile", "email", "groups"],
    claims: { email: ["email", "email_verified"], profile: ["preferred_username", "name"], groups: ["groups"] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    // The installation is at a loopback address, which the provider would not send anything to.
    fetch(url, options) {
      const { method = "GET", headers = {}, body = null, signal = null } = options ?? {};
      return fetch(String(url).replace(publicUrl, logoutTo()), { method, headers, body, signal });
    },
    // Else it writes a line for each of them.
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    pkce: { required: () => true },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...people.get(id) }) }),
    async loadExistingGrant({ oidc }) {
      const { client, session } = oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid profile email groups");
      await grant.save();
      return grant;
    },
  });
  const failures: string[] = [];
  provider.on("backchannel.error", (_context, error) => failures.push(error.message));
  const state = { tamper: null as Tamper | null, isAway: false };
  const answer = provider.callback();
  listening.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (state.isAway) {
      request.socket.destroy();
      return;
    }
    const { method, url = "" } = request;
    if (url.startsWith("/interaction/")) {
      void (method === "POST" ? signIn(provider, request, response) : showForm(response, url));
      return;
    }
    if (state.tamper !== null && url === "/token") changeAnswer(response, state.tamper);
    void answer(request, response);
  });
  return {
    issuer,
    people,
    get tamper() {
      return state.tamper;
    },
    set tamper(tamper) {
      state.tamper = tamper;
    },
    sign: (claims, { key = privateKey, header = {} } = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid, ...header }).sign(key),
    failures,
    setAway(isAway) {
      state.isAway = isAway;
    },
    async close() {
      listening.closeAllConnections();
      await new Promise((resolve) => listening.close(resolve));
    },
  };
}

/** The page on which a user names themselves. */
async function showForm(response: ServerResponse, url: string): Promise<void> {
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(
    `<!doctype html><title>Provider</title><form method="post" action="${url}">
      <label>Subject <input name="subject"></label><button>Continue</button></form>`,
  );
}

async function signIn(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const accountId = new URLSearchParams(await textOf(request)).get("subject") ?? "";
  const result =
    accountId === "" ? { error: "access_denied", error_description: "not today" } : { login: { accountId } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request) text += String(part);
  return text;
}

/** The provider writes its whole answer in one piece, as JSON. */
function changeAnswer(response: ServerResponse, tamper: Tamper): void {
  const end = response.end.bind(response);
  response.end = ((text: string | Buffer) => {
    const send = (body: unknown) => {
      const changed = JSON.stringify(body);
      response.setHeader("content-length", Buffer.byteLength(changed));
      end(changed);
    };
    void tamper(JSON.parse(String(text))).then(send);
    return response;
  }) as typeof response.end;
}
