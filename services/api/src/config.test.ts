import { loadConfig } from "@parley/service-runtime";
import { describe, expect, test } from "vitest";
import { configSchema } from "./config.js";

const required = { DATABASE_URL: "postgresql://a:b@c/d", JWT_SECRET: "0".repeat(64) };
const load = (env: Record<string, string>) => loadConfig(configSchema, { ...required, ...env });

describe.each([
  {
    name: "ALLOWED_ORIGINS",
    usable: ["*", "https://chat.example.com,http://localhost:5173", "capacitor://localhost"],
    unusable: ["chat.example.com", "https://chat.example.com/", "https://chat.example.com:443", "*.example.com"],
    expected: "must be a comma list of origins as browsers send them, such as https://chat.example.com, or *",
  },
  {
    name: "TRUST_PROXY",
    usable: ["10.0.0.0/8, ::1/128", "127.0.0.1", "loopback,uniquelocal"],
    unusable: ["proxy.internal", "10.0.0.0/99", "true"],
    expected: "must be a comma list of addresses and CIDRs such as 10.1.0.0/16",
  },
  {
    name: "STUN_URLS",
    usable: ["stun:stun.example.com:3478,stuns:[::1]"],
    unusable: ["stun://stun.example.com", "stun.example.com", "stun:", "turn:turn.example.com"],
    expected: "must be a comma list of addresses such as stun:stun.example.com:3478",
  },
  {
    name: "TURN_URLS",
    usable: ["turn:turn.example.com:3478?transport=tcp,turns:turn.example.com"],
    unusable: ["turn://turn.example.com", "turn.example.com:3478", "turn:a?transport=sctp"],
    expected: "must be a comma list of addresses such as turn:turn.example.com:3478",
  },
  {
    name: "SMTP_URL",
    usable: ["smtp://127.0.0.1:2525", "smtps://user:pass@mail.example.com"],
    unusable: ["mail.example.com:587", "https://mail.example.com"],
    expected: "must be a URL that starts with smtp:// or smtps://",
  },
  {
    name: "MAIL_FROM",
    usable: ["Chess <club@example.com>", "club@example.com", "parley@localhost"],
    unusable: ["Chess club", "club@", "Chess <club>"],
    expected: "must be a mail address, alone or as Name <address>",
  },
  {
    name: "S3_ENDPOINT",
    usable: ["http://minio:9000"],
    unusable: ["minio:9000", "s3://bucket"],
    expected: "must be a URL that starts with https:// or http://",
  },
  {
    name: "PARLEY_ADMINS",
    usable: ["ann, bob_2"],
    unusable: ["@ann", "ann bob"],
    expected: "must be a comma list of usernames",
  },
  {
    name: "OPERATOR_STARTED_AT",
    usable: ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.678Z"],
    unusable: ["now", "1767348245", "2026-01-02"],
    expected: "must be a time such as 2026-01-02T03:04:05.678Z",
  },
  {
    name: "EVENTS_MAX_AGE_MS",
    usable: ["1000", "3600000"],
    unusable: ["999", "15m"],
    expected: "must be a whole number from 1000 to 1000000000",
  },
])("$name", ({ name, usable, unusable, expected }) => {
  test.each(usable)("the value %s is accepted", (value) => expect(() => load({ [name]: value })).not.toThrow());
  test.each(unusable)("the value %s is refused", (value) =>
    expect(() => load({ [name]: value })).toThrow(`Invalid settings: ${name} ${expected}`),
  );
});

describe("single sign-on", () => {
  const whole = {
    OIDC_ISSUER: "https://id.example.com/realms/staff",
    OIDC_CLIENT_ID: "parley",
    OIDC_CLIENT_SECRET: "x",
    PUBLIC_URL: "https://chat.example.com",
  };
  const { OIDC_CLIENT_ID: _id, ...withoutId } = whole;
  const { PUBLIC_URL: _url, ...withoutUrl } = whole;

  test.each([
    ["all of it", whole],
    ["none of it, with the secret waiting", { OIDC_CLIENT_SECRET: "x" }],
    ["a provider on the same machine", { ...whole, OIDC_ISSUER: "http://127.0.0.1:9000" }],
  ])("the settings with %s are accepted", (_what, env) => expect(() => load(env)).not.toThrow());

  test.each([
    [withoutId, "OIDC_CLIENT_ID must be set with OIDC_ISSUER"],
    [withoutUrl, "PUBLIC_URL must be set with OIDC_ISSUER"],
    [{ OIDC_ENFORCED: "true" }, "OIDC_ISSUER must be set with OIDC_ENFORCED"],
    [{ OIDC_ADMIN_GROUP: "staff" }, "OIDC_ISSUER must be set with OIDC_ADMIN_GROUP"],
    [{ OIDC_ALLOWED_DOMAINS: "example.com" }, "OIDC_ISSUER must be set with OIDC_ALLOWED_DOMAINS"],
    [{ ...whole, OIDC_ISSUER: "http://id.example.com" }, "OIDC_ISSUER must start with https://"],
    [{ ...whole, OIDC_ISSUER: "https://id.example.com?x=1" }, "OIDC_ISSUER must have neither ? nor #"],
    [{ ...whole, OIDC_SCOPES: "profile" }, "OIDC_SCOPES must name the scope openid"],
    [
      { ...whole, OIDC_ALLOWED_DOMAINS: "@example.com" },
      "OIDC_ALLOWED_DOMAINS must be a comma list of domains such as example.com",
    ],
  ])("%o is refused with one line", (env, line) => expect(() => load(env)).toThrow(`Invalid settings: ${line}`));
});
