import { z } from "zod";
import type { Oidc } from "../../platform/settings/oidc.js";
import { isEmail } from "../auth/schema.js";

/** The claims that an account is created from and updated with. */
export const Claims = z.object({
  /** Proposed usernames as the provider has them, the best first. */
  names: z.array(z.string()),
  /** The verified address; null without one. */
  email: z.string().nullable(),
  /** Whether the person is in the group of administrators; null where no group decides. */
  isAdmin: z.boolean().nullable(),
});
export type Claims = z.infer<typeof Claims>;

/** Longest name that is looked at, in characters. */
const nameLengthMax = 128;
const usernameLengthMax = 32;

/** Reads the claims of a person; a claim that is missing or of another type counts as absent. */
export function claimsOf(said: Record<string, unknown>, oidc: Pick<Oidc, "groupsClaim" | "adminGroup">): Claims {
  const { email, email_verified } = said;
  // Some providers write booleans as text.
  const isVerified = email_verified === true || email_verified === "true";
  const address = typeof email === "string" && isEmail(email) ? email : null;
  const candidates = [said.preferred_username, said.nickname, said.name, address];
  return {
    names: candidates.filter((name) => typeof name === "string").map((name) => name.slice(0, nameLengthMax)),
    email: isVerified ? address : null,
    isAdmin: oidc.adminGroup === null ? null : groupsOf(said[oidc.groupsClaim]).includes(oidc.adminGroup),
  };
}

/** A list, or one group alone. */
function groupsOf(claim: unknown): unknown[] {
  return Array.isArray(claim) ? claim : [claim];
}

/** Whether an address belongs to one of the domains; a subdomain is another domain. */
export function isOfDomain(email: string | null, domains: readonly string[]): boolean {
  return email !== null && domains.includes(email.slice(email.lastIndexOf("@") + 1).toLowerCase());
}

/** A username by the rules of registered ones, of the first name that gives one; the part of an address before its @. */
export function usernameOf(names: readonly string[]): string {
  for (const name of names) {
    const [local = ""] = name.split("@", 1);
    const username = local
      // Accents are removed, their letters stay.
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .replace(/[^A-Za-z0-9_]+/g, "_")
      .replace(/^_+|_+$/g, "")
      .slice(0, usernameLengthMax);
    if (username.length >= 2) return username;
  }
  return "user";
}

/** The same name with something behind it that nobody else has. */
export const withSuffix = (username: string, suffix: string): string =>
  `${username.slice(0, usernameLengthMax - suffix.length - 1)}_${suffix}`;
