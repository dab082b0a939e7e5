import { findFreePort } from "@parley/local-stack";
import { startSmtp, type TestSmtp } from "./test-smtp.js";
import { startStack, type TestStack } from "./test-stack.js";

/** The targets of an equipped stack's settings. A port is free until the test that needs it listens there. */
export interface Equipment {
  /** The mails of the installation, to everybody. */
  readonly mails: TestSmtp["mails"];
  /** The provider of single sign-on, on a port of 127.0.0.1. People of `adminGroup` are administrators. */
  readonly signIn: {
    readonly port: number;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly adminGroup: string;
  };
  /** Where GIFs are searched, on a port of 127.0.0.1. */
  readonly gifs: { readonly port: number; readonly key: string };
  readonly stunUrls: readonly string[];
  /** A TURN server on a port of 127.0.0.1. */
  readonly turn: { readonly port: number; readonly secret: string };
  /** Signs the addresses of files. */
  readonly fileUrlSecret: string;
}

/** Address of the installation in mails, in passkeys and at the provider of single sign-on. */
export const publicUrl = "https://chat.example.com";

/** The address of this machine whose pages may be previewed: it stands for the public internet. */
export const previewedAddress = "127.0.0.2";

/** Starts two processes of each service. Whatever a setting turns on is on. */
export async function startEquippedStack(): Promise<TestStack & Equipment> {
  const smtp = await startSmtp();
  const equipment = {
    mails: smtp.mails,
    signIn: {
      port: await findFreePort(),
      clientId: "parley",
      clientSecret: "secret-of-parley",
      adminGroup: "arbiters",
    },
    gifs: { port: await findFreePort(), key: "key of the tests" },
    stunUrls: ["stun:a.example:3478", "stun:b.example:3478"],
    turn: { port: await findFreePort(), secret: "shared with the TURN server" },
    fileUrlSecret: "signs the addresses of files in tests",
  };
  const env = { SMTP_URL: smtp.url, MAIL_FROM: "Chess <club@example.com>", ...settingsOf(equipment) };
  const stack = await startStack({ apis: 2, gateways: 2, automods: 2, webhookDispatchers: 2, env });
  return { ...stack, ...equipment };
}

function settingsOf({ signIn, gifs, stunUrls, turn, fileUrlSecret }: Equipment): Record<string, string> {
  return {
    // A test comes from the address that it writes into X-Forwarded-For.
    TRUST_PROXY: "loopback",
    PUBLIC_URL: `${publicUrl}/`,
    OIDC_ISSUER: `http://127.0.0.1:${signIn.port}`,
    OIDC_CLIENT_ID: signIn.clientId,
    OIDC_CLIENT_SECRET: signIn.clientSecret,
    OIDC_NAME: "Chess Federation",
    OIDC_SCOPES: "openid profile email groups",
    OIDC_ADMIN_GROUP: signIn.adminGroup,
    GIPHY_API_URL: `http://127.0.0.1:${gifs.port}/`,
    GIPHY_API_KEY: gifs.key,
    STUN_URLS: stunUrls.join(","),
    TURN_URLS: `turn:127.0.0.1:${turn.port}`,
    TURN_SECRET: turn.secret,
    FILE_URL_SECRET: fileUrlSecret,
    LINK_PREVIEW_ALLOWED_NETWORKS: `${previewedAddress}/32`,
  };
}
