import { createHash, randomBytes } from "node:crypto";
import { type AdminAction, conflict, errorTexts, notFound, rateLimited } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { RedisConnection } from "@parley/redis";
import { requireAdminsRemain } from "../../../access/admin-lock.js";
import { appendAdminLog } from "../../../access/admin-log/repository.js";
import { lockAdministration } from "../../../access/repository.js";
import { findLivingAccounts } from "../../../people/users/repository.js";
import { createAttemptCounts } from "../../../platform/load/attempt-counts.js";
import { findImport } from "../core/repository.js";
import type { ImportPeople, ImportPerson } from "../core/schema.js";
import { claimPerson, findPeople, lockPerson, lockPersonByCode, setCode } from "./repository.js";

/** Wrong codes of an account within the window. */
const attemptsMax = 10;
const attemptsWindowMs = 15 * 60_000;
/** Of a code: nobody finds it by trying. */
const codeBytes = 15;

const hashOf = (code: string) => createHash("sha256").update(code.trim()).digest("hex");

/** A person by the ids of a path. */
export interface PersonAddress {
  id: string;
  person_id: string;
}

export function createImportPeopleService({ database, redis }: { database: Database; redis: RedisConnection }) {
  const limits = { limits: [attemptsMax], windowMs: attemptsWindowMs };
  const attempts = createAttemptCounts({ redis, name: "claim-attempt", ...limits });

  const workspaceOf = async (importId: string): Promise<string> => {
    const row = await findImport(database, importId);
    if (row === undefined) throw notFound(errorTexts.import_not_found);
    return row.workspace ?? "";
  };

  /** Changes a person whom nobody has claimed, for an administrator, and notes it in the log. */
  const change = async <Result>(
    { adminId, address, action }: { adminId: string; address: PersonAddress; action: AdminAction },
    work: (transaction: Transaction, person: ImportPerson) => Promise<Result>,
  ): Promise<Result> => {
    const { id: targetId, person_id } = address;
    const workspace = await workspaceOf(targetId);
    return database.transaction(async (transaction) => {
      await lockAdministration(transaction);
      await requireAdminsRemain(transaction, adminId);
      const person = await lockPerson(transaction, person_id, workspace);
      if (person === undefined) throw notFound(errorTexts.import_person_not_found);
      if (person.claimed) throw conflict(errorTexts.import_person_claimed);
      const result = await work(transaction, person);
      await appendAdminLog(transaction, { adminId, action, targetId, details: { name: person.name, person_id } });
      return result;
    });
  };

  return {
    async list(
      importId: string,
      { q, page, per_page }: { q?: string | undefined; page: number; per_page: number },
    ): Promise<ImportPeople> {
      const wanted = { q, limit: per_page, offset: (page - 1) * per_page };
      return { ...(await findPeople(database, await workspaceOf(importId), wanted)), page, per_page };
    },

    claim(adminId: string, address: PersonAddress, userId: string): Promise<ImportPerson> {
      return change({ adminId, address, action: "import_claim" }, async (transaction, person) => {
        if ((await findLivingAccounts(transaction, [userId])).length === 0) throw notFound(errorTexts.user_not_found);
        await claimPerson(transaction, person.id, userId);
        return { ...person, user_id: userId, claimed: true };
      });
    },

    /** A new code for a person; a former one is good no more. */
    createCode(adminId: string, address: PersonAddress): Promise<{ code: string }> {
      return change({ adminId, address, action: "import_code" }, async (transaction, person) => {
        const code = randomBytes(codeBytes).toString("base64url");
        await setCode(transaction, person.id, hashOf(code));
        return { code };
      });
    },

    /** @throws ServiceError 404 for a wrong code, 429 after too many */
    async claimByCode(userId: string, code: string): Promise<{ person: string; messages: number }> {
      const attempt = await attempts.begin([`claim:${userId}`]);
      if ("retryAfterSeconds" in attempt)
        throw rateLimited("claim_codes", errorTexts.rate_limited, attempt.retryAfterSeconds);
      const claimed = await database.transaction(async (transaction) => {
        const person = await lockPersonByCode(transaction, hashOf(code));
        if (person === undefined) throw notFound(errorTexts.import_code_not_found);
        await claimPerson(transaction, person.id, userId);
        return { person: person.name, messages: person.messages };
      });
      await attempt.withdraw();
      return claimed;
    },
  };
}

export type ImportPeopleService = ReturnType<typeof createImportPeopleService>;
