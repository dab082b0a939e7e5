import type { Database } from "@parley/database/prisma";
import type { Registrations } from "../accounts/registration/admission.js";
import { countUse, findPreview, lockInvite } from "../community/invites/repository.js";
import { readWhole } from "../operators/instance-settings/repository.js";

/** Hands the rules of registration down to the accounts, which lie below instance settings and invites. */
export function createRegistrations(database: Database): Registrations {
  return {
    async read() {
      const { registration_mode: mode, terms, terms_version, registration } = await readWhole(database);
      return { ...registration, mode, termsVersion: terms === null ? null : terms_version };
    },
    isInvite: async (code) => (await findPreview(database, code, null)) !== null,
    async useInvite(transaction, code) {
      const invite = await lockInvite(transaction, code, null);
      if (invite === null || invite.expired || invite.used_up) return null;
      await countUse(transaction, invite.id);
      return invite.id;
    },
  };
}
