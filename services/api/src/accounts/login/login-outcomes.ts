import { errorTexts, ServiceError } from "@parley/contracts";
import type { Logger } from "@parley/service-runtime";
import { Counter, type Registry } from "prom-client";

/** Outcome label by error text. The caller distinguishes unknown usernames. */
const outcomes = new Map<string, string>([
  [errorTexts.wrong_credentials, "wrong_password"],
  [errorTexts.second_factor_required, "second_factor_missing"],
  [errorTexts.second_factor_invalid, "second_factor_wrong"],
  [errorTexts.passkey_invalid, "passkey_wrong"],
  [errorTexts.account_disabled, "disabled"],
  [errorTexts.email_unconfirmed, "unconfirmed"],
  [errorTexts.registration_pending, "pending"],
  [errorTexts.registration_declined, "declined"],
]);

/**
 * Counts how logins end and writes a line for each, with the account and the request. No line has typed text: neither
 * the password nor a name that no account has.
 */
export function createLoginOutcomes({ registry, logger }: { registry: Registry; logger: Logger }) {
  const attempts = new Counter({
    name: "auth_attempts_total",
    help: "Logins by how they ended",
    labelNames: ["outcome"],
    registers: [registry],
  });
  const note = (outcome: string, { userId, requestId }: { userId: string | null; requestId: string }) => {
    attempts.inc({ outcome });
    logger.info({ request_id: requestId, user_id: userId, outcome }, "login");
  };
  return {
    succeeded: (about: { userId: string; requestId: string }) => note("ok", about),
    /** @param about.userId null when no account has the name */
    failed(error: unknown, about: { userId: string | null; requestId: string }): void {
      const outcome = outcomeOf(error);
      note(outcome === "wrong_password" && about.userId === null ? "unknown_account" : outcome, about);
    },
  };
}

export type LoginOutcomes = ReturnType<typeof createLoginOutcomes>;

function outcomeOf(error: unknown): string {
  if (!(error instanceof ServiceError)) return "error";
  return error.limit === undefined ? (outcomes.get(error.message) ?? "error") : `limited_${error.limit}`;
}
