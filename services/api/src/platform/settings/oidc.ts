import {
  booleanSetting,
  listSetting,
  optionalTextSetting,
  optionalUrlSetting,
  textSetting,
} from "@parley/service-runtime";
import type { z } from "zod";

/** The settings of single sign-on (docs/protocol/accounts.md#29). */
export const oidcSettings = {
  OIDC_ISSUER: optionalUrlSetting({
    purpose:
      "Sign-in provider (OpenID Connect): its issuer, https:// but for loopback; single sign-on is off without it",
    schemes: ["https", "http"],
  }),
  OIDC_CLIENT_ID: optionalTextSetting({ purpose: "Name of this installation at the provider; needs OIDC_ISSUER" }),
  OIDC_CLIENT_SECRET: optionalTextSetting({ purpose: "Secret of this installation at the provider" }),
  OIDC_NAME: textSetting({ purpose: "Name of the provider that people read", default: "Single sign-on" }).refine(
    (name) => [...name].length <= 64,
    "must have at most 64 characters",
  ),
  OIDC_SCOPES: textSetting({
    purpose: "What the provider is asked for, separated by blanks; with openid",
    default: "openid profile email",
  }).refine((scopes) => scopes.split(" ").includes("openid"), "must name the scope openid"),
  OIDC_ALLOWED_DOMAINS: listSetting({
    purpose: "Who may sign in at the provider: domains of verified e-mail addresses, comma list; everybody without it",
    isEntry: (domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(domain),
    entries: "domains such as example.com",
  }),
  OIDC_PROVISIONING: booleanSetting({
    purpose: "Make an account for who signs in at the provider for the first time",
    default: true,
  }),
  OIDC_GROUPS_CLAIM: textSetting({ purpose: "Claim with the person's groups", default: "groups" }),
  OIDC_ADMIN_GROUP: optionalTextSetting({
    purpose: "Group whose people are administrators of the installation, and nobody else who signs in at the provider",
  }),
  OIDC_ENFORCED: booleanSetting({
    purpose: "Refuse to sign in and register by password",
    default: false,
  }),
};

/** With an issuer by plain HTTP, anybody on the way could sign in as anybody. */
const loopbackHosts = ["localhost", "127.0.0.1", "[::1]"];

type Settings = z.output<z.ZodObject<typeof oidcSettings>> & { PUBLIC_URL?: string | undefined };

/** The part of a zod context that refuses values. */
interface Refusals {
  addIssue(issue: { code: "custom"; path: string[]; message: string }): void;
}

/** Refuses settings that do not fit together. */
export function checkOidcSettings(settings: Settings, context: Refusals): void {
  const refuse = (name: keyof Settings, message: string) => context.addIssue({ code: "custom", path: [name], message });
  const { OIDC_ISSUER: issuer } = settings;
  if (issuer === undefined) {
    // The secret may wait where secrets are kept.
    const alone = ["OIDC_CLIENT_ID", "OIDC_ADMIN_GROUP"] as const;
    for (const name of alone) if (settings[name] !== undefined) refuse("OIDC_ISSUER", `must be set with ${name}`);
    if (settings.OIDC_ENFORCED) refuse("OIDC_ISSUER", "must be set with OIDC_ENFORCED");
    if (settings.OIDC_ALLOWED_DOMAINS.length > 0) refuse("OIDC_ISSUER", "must be set with OIDC_ALLOWED_DOMAINS");
    return;
  }
  const { protocol, hostname, search, hash } = new URL(issuer);
  if (protocol !== "https:" && !loopbackHosts.includes(hostname)) refuse("OIDC_ISSUER", "must start with https://");
  if (search !== "" || hash !== "") refuse("OIDC_ISSUER", "must have neither ? nor #");
  for (const name of ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "PUBLIC_URL"] as const) {
    if (settings[name] === undefined) refuse(name, "must be set with OIDC_ISSUER");
  }
}

/** Single sign-on as it is set up. */
export interface Oidc {
  issuer: string;
  clientId: string;
  clientSecret: string;
  name: string;
  scopes: string;
  /** In lower case; empty for no restriction. */
  allowedDomains: readonly string[];
  isProvisioning: boolean;
  groupsClaim: string;
  adminGroup: string | null;
  isEnforced: boolean;
  /** The URL of the installation, without a slash at its end. */
  publicUrl: string;
}

/** Null where single sign-on is off. */
export function oidcOf(settings: Settings): Oidc | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, PUBLIC_URL } = settings;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined || PUBLIC_URL === undefined)
    return null;
  return {
    issuer,
    clientId,
    clientSecret,
    name: settings.OIDC_NAME,
    scopes: settings.OIDC_SCOPES,
    allowedDomains: settings.OIDC_ALLOWED_DOMAINS.map((domain) => domain.toLowerCase()),
    isProvisioning: settings.OIDC_PROVISIONING,
    groupsClaim: settings.OIDC_GROUPS_CLAIM,
    adminGroup: settings.OIDC_ADMIN_GROUP ?? null,
    isEnforced: settings.OIDC_ENFORCED,
    publicUrl: PUBLIC_URL.replace(/\/+$/, ""),
  };
}
