import { errorTexts, forbidden, invalidInput } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { AccountRow } from "../../people/users/resource.js";
import type { RequireProof } from "../auth/require-proof.js";
import type { Registration } from "../auth/schema.js";
import type { Beginner, RegistrationPace } from "./pace.js";
import type { Proofs } from "./proofs.js";
import { findWaiting } from "./repository.js";

/** The settings of the installation about registering (docs/protocol/registration.md#34.2). */
export interface RegistrationSettings {
  mode: "open" | "invite_only" | "closed";
  /** The version of the terms that a newcomer has to accept, null where there are none. */
  termsVersion: number | null;
  email: "optional" | "required";
  email_domains: readonly string[] | null;
  blocked_domains: readonly string[];
  approval: boolean;
  challenge: "off" | "on" | "auto";
}

/** The conditions of registering: the instance's setting, and invites; both belong to domains above. */
export interface Registrations {
  read(): Promise<RegistrationSettings>;
  isInvite(code: string): Promise<boolean>;
  /** Counts a use of the invite. @returns its id; null when it can be used no more */
  useInvite(transaction: Transaction, code: string): Promise<string | null>;
}

/** Whether a domain, or one that it is a part of, is in a list. */
export function isListed(domain: string, list: readonly string[]): boolean {
  const name = domain.toLowerCase();
  return list.some((listed) => name === listed || name.endsWith(`.${listed}`));
}

/** @throws ServiceError 400 for an address that may not register, and without one that is needed */
function requireAddress(email: string | null, settings: RegistrationSettings): void {
  const { email_domains, blocked_domains } = settings;
  if (email === null) {
    if (settings.email === "required" || email_domains !== null) throw invalidInput(errorTexts.email_required);
    return;
  }
  const domain = email.slice(email.lastIndexOf("@") + 1);
  const isAllowed = email_domains === null || isListed(domain, email_domains);
  if (!isAllowed || isListed(domain, blocked_domains)) throw invalidInput(errorTexts.email_domain_refused);
}

/** @throws ServiceError 400 without work that the setting asks for */
async function requireWork(
  proofs: Proofs,
  altcha: unknown,
  { challenge, needsWork }: { challenge: RegistrationSettings["challenge"]; needsWork: () => Promise<boolean> },
): Promise<void> {
  if (challenge === "off" || (challenge === "auto" && !(await needsWork()))) return;
  if (!(await proofs.use(altcha))) throw invalidInput(errorTexts.challenge_unsolved);
}

/** Asks for work by the settings of the installation. */
export function createRequireProof(options: {
  registrations: Registrations;
  proofs: Proofs;
  pace: RegistrationPace;
}): RequireProof {
  const { registrations, proofs, pace } = options;
  return async (altcha, address) => {
    const { challenge } = await registrations.read();
    await requireWork(proofs, altcha, { challenge, needsWork: () => pace.isHigh(address) });
  };
}

/**
 * Checks whether a registration is allowed (docs/protocol/operators.md#18.1, docs/protocol/registration.md#34.2).
 *
 * @returns the settings, and the code of the invite that the registration uses; null when it needs none
 * @throws ServiceError 403 while registration is closed, 400 where something that it needs is missing
 */
export async function admission(
  { registrations, proofs }: { registrations: Registrations; proofs: Proofs },
  { invite_code: code, accepted_terms, altcha, email }: Registration,
  { needsWork }: Beginner,
): Promise<{ settings: RegistrationSettings; inviteCode: string | null }> {
  const settings = await registrations.read();
  if (settings.mode === "closed") throw forbidden(errorTexts.registration_closed);
  if (settings.termsVersion !== null && accepted_terms !== true) throw invalidInput(errorTexts.terms_not_accepted);
  await requireWork(proofs, altcha, { challenge: settings.challenge, needsWork });
  requireAddress(email, settings);
  if (settings.mode === "open") return { settings, inviteCode: null };
  // Before the password is hashed; the invite is used with the account.
  if (typeof code === "string" && (await registrations.isInvite(code))) return { settings, inviteCode: code };
  throw invalidInput(errorTexts.invite_code_required);
}

/**
 * @param mailAgain is called when the address is not confirmed: the token of the last mail may have expired
 * @throws ServiceError 403 for an account that waits for its confirmation or an approval, or was declined
 */
export async function requireNotWaiting(
  database: Database,
  { id }: Pick<AccountRow, "id">,
  mailAgain: () => void,
): Promise<void> {
  const waiting = await findWaiting(database, id);
  if (waiting === undefined) return;
  if (waiting.unconfirmed) {
    mailAgain();
    throw forbidden(errorTexts.email_unconfirmed);
  }
  if (waiting.state === "pending") throw forbidden(errorTexts.registration_pending);
  if (waiting.state === "declined") throw forbidden(errorTexts.registration_declined);
}
