import { trustProxySetting } from "@parley/auth";
import { usernamePattern } from "@parley/contracts";
import { isNetwork } from "@parley/egress";
import { eventStreamSettings } from "@parley/messaging";
import {
  baseSettings,
  booleanSetting,
  integerSetting,
  listSetting,
  optionalInstantSetting,
  optionalTextSetting,
  optionalUrlSetting,
  textSetting,
  urlSetting,
} from "@parley/service-runtime";
import { z } from "zod";
import { checkOidcSettings, oidcSettings } from "./platform/settings/oidc.js";

const positive = (purpose: string, fallback: number) =>
  integerSetting({ purpose, default: fallback, min: 1, max: 1_000_000 });

/** Largest number of days that a server or the instance may set (docs/protocol/communities.md#18.3). */
export const retentionDaysMax = 3650;

/** The api's environment: every setting, its default and its purpose. */
export const configSchema = z
  .object({
    ...baseSettings({ port: 8201 }),
    JWT_SECRET: textSetting({ purpose: "Signs access tokens; at least 32 characters", lengthMin: 32 }),
    JWT_SECRET_PREVIOUS: optionalTextSetting({
      purpose: "Former JWT_SECRET, still accepted while a rotation is under way",
      lengthMin: 32,
    }),
    PARLEY_ADMINS: listSetting({
      purpose: "Usernames that are administrators, comma list; each is registered before it is listed",
      isEntry: (name) => usernamePattern.test(name),
      entries: "usernames",
    }),
    OPERATOR_STARTED_AT: optionalInstantSetting({
      purpose:
        "When an operator started the installation, ISO 8601 in UTC: PARLEY_ADMINS grants to accounts from before; " +
        "`npm start` sets it. Without it a name counts from the first start that had it",
    }),
    SMTP_URL: optionalUrlSetting({
      purpose: "Mail server, smtp:// or smtps:// with its user and password; without it no mail is sent",
      schemes: ["smtp", "smtps"],
    }),
    MAIL_FROM: textSetting({ purpose: "Sender of mails", default: "Parley <parley@localhost>" }).refine(
      (sender) => /^([^<>]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(sender),
      "must be a mail address, alone or as Name <address>",
    ),
    PUBLIC_URL: optionalUrlSetting({
      purpose:
        "Address of the installation: in mails about missed messages, which without it have the one at which each account asked for " +
        "them; where single sign-on leads back to; its host is what passkeys are made for, which are on with https:// (or " +
        "http://localhost)",
      schemes: ["https", "http"],
    }),
    ...oidcSettings,
    ALLOWED_ORIGINS: listSetting({
      purpose: "Origins that browsers may call from, comma list; * for any",
      isEntry: isOrigin,
      entries: "origins as browsers send them, such as https://chat.example.com, or *",
    }),
    TRUST_PROXY: trustProxySetting(),
    FILE_URL_SECRET: optionalTextSetting({
      purpose: "Signs addresses of files; at least 32 characters; derived from JWT_SECRET when absent",
      lengthMin: 32,
    }),
    UPLOAD_DIR: textSetting({
      purpose: "Directory of uploaded files, shared by all api processes",
      default: "./data/uploads",
    }),
    S3_BUCKET: optionalTextSetting({ purpose: "Bucket of uploaded files, instead of UPLOAD_DIR" }),
    S3_REGION: textSetting({ purpose: "Region of the bucket", default: "us-east-1" }),
    S3_ENDPOINT: optionalUrlSetting({
      purpose: "URL of an S3-compatible server; Amazon S3 when absent",
      schemes: ["https", "http"],
    }),
    S3_ACCESS_KEY_ID: optionalTextSetting({
      purpose: "Access key of the bucket; that of the machine's role when absent",
    }),
    S3_SECRET_ACCESS_KEY: optionalTextSetting({ purpose: "Secret of the access key" }),
    S3_FORCE_PATH_STYLE: booleanSetting({
      purpose: "Name the bucket in the path, as most S3-compatible servers need it",
      default: false,
    }),
    IMPORT_MAX_BYTES: integerSetting({
      purpose: "Largest archive of another service, in bytes; what is in it may have 20 times as many",
      default: 20_000_000_000,
      min: 1_000_000,
      max: 1_000_000_000_000,
    }),
    STUN_URLS: listSetting({
      purpose: "STUN servers named to clients, comma list",
      default: ["stun:stun.l.google.com:19302", "stun:stun.cloudflare.com:3478"],
      isEntry: (url) => /^stuns?:[^\s/?]+$/.test(url),
      entries: "addresses such as stun:stun.example.com:3478",
    }),
    TURN_URLS: listSetting({
      purpose: "TURN servers named to clients, comma list; needs TURN_SECRET",
      isEntry: (url) => /^turns?:[^\s/?]+(\?transport=(udp|tcp))?$/.test(url),
      entries: "addresses such as turn:turn.example.com:3478",
    }),
    TURN_SECRET: optionalTextSetting({ purpose: "Secret shared with the TURN servers" }),
    DATABASE_POOL_MAX: integerSetting({
      purpose: "Most database connections of this process",
      default: 10,
      // A lock that outlives a transaction needs a connection beside it (`SessionPool.max`).
      min: 2,
      max: 1_000_000,
    }),
    RATE_LIMIT_REST_RPS: positive("Requests per second and address", 10),
    RATE_LIMIT_REST_BURST: positive("Requests at once per address", 20),
    RATE_LIMIT_AUTH_RPS: positive("Requests per second and address below /auth/", 2),
    RATE_LIMIT_AUTH_BURST: positive("Requests at once per address below /auth/", 5),
    RATE_LIMIT_BOT_RPS: positive("Requests per second and at once per bot", 50),
    RATE_LIMIT_BOT_ADDRESS_RPS: positive("Requests per second and at once of all bots behind one address", 200),
    AUTOMOD_TIMEOUT_MS: positive("How long a message waits for each verdict of auto-moderation, in milliseconds", 500),
    ...eventStreamSettings,
    RETENTION_DAYS: integerSetting({
      purpose:
        "Days after which messages and their files are removed; 0 keeps them where a server does not say otherwise",
      default: 0,
      min: 0,
      max: retentionDaysMax,
    }),
    WEBHOOK_ALLOW_PRIVATE: booleanSetting({
      purpose: "Deliver to loopback and private addresses, and to bots by plain HTTP, too; for development only",
      default: false,
    }),
    LINK_PREVIEW_ALLOWED_NETWORKS: listSetting({
      purpose: "Non-public networks whose pages may be previewed all the same, comma list of CIDRs",
      isEntry: isNetwork,
      entries: "CIDRs such as 10.1.0.0/16",
    }),
    GIPHY_API_KEY: optionalTextSetting({ purpose: "Key for the search of GIFs at giphy.com; none without it" }),
    GIPHY_API_URL: urlSetting({
      purpose: "Where GIFs are searched",
      schemes: ["https", "http"],
      default: "https://api.giphy.com",
    }),
  })
  .superRefine(checkOidcSettings);
export type Config = z.infer<typeof configSchema>;

/** Days after which the instance removes messages; null when it does not. */
export function instanceRetentionDays(config: Config): number | null {
  return config.RETENTION_DAYS === 0 ? null : config.RETENTION_DAYS;
}

/** The header Origin is compared with the whole entry, so it has neither a path nor the scheme's own port. */
function isOrigin(entry: string): boolean {
  if (entry === "*") return true;
  // Applications outside of a browser have schemes of their own, for which URL reports no origin.
  if (!/^https?:/i.test(entry)) return /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#*]+$/.test(entry);
  return URL.canParse(entry) && new URL(entry).origin === entry;
}

/** The entries that Express takes: addresses, networks, and its names for some of them. */
