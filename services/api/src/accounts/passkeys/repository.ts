import { defineStatement, isUniqueViolation } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import type { Passkey } from "./schema.js";

const shown = { id: true, name: true, created_at: true, last_used_at: true, backed_up: true } as const;

/**
 * Notes the use of a passkey. Updates no row when another answer was as new: of two copies of an authenticator, which count apart,
 * one is refused.
 */
const useStatement = defineStatement({
  name: "passkey_use",
  text: `UPDATE passkeys SET counter = $2, backed_up = $3, last_used_at = now()
    WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0))`,
});

const findStatement = defineStatement({
  name: "passkey_find",
  text: `SELECT p.id, p.user_id, u.session_version, p.public_key, p.counter
    FROM passkeys p JOIN users u ON u.id = p.user_id WHERE p.credential_id = $1`,
  row: z.object({
    id: z.string(),
    user_id: z.string(),
    session_version: z.int(),
    public_key: z.instanceof(Uint8Array),
    counter: z.coerce.number(),
  }),
});

/** A passkey as it is stored. */
export interface NewPasskey {
  credential_id: Uint8Array<ArrayBuffer>;
  public_key: Uint8Array<ArrayBuffer>;
  counter: number;
  transports: string[];
  backed_up: boolean;
  name: string;
}

interface Row {
  id: string;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
  backed_up: boolean;
}

const toPasskey = ({ id, name, created_at, last_used_at, backed_up }: Row): Passkey => ({
  id,
  name,
  created_at: created_at.toISOString(),
  last_used_at: last_used_at?.toISOString() ?? null,
  backed_up,
});

/** The passkeys of an account, oldest first. */
export async function findPasskeys({ prisma }: Queryable, userId: string): Promise<Passkey[]> {
  const rows = await prisma.passkey.findMany({ where: { user_id: userId }, select: shown, orderBy: { id: "asc" } });
  return rows.map(toPasskey);
}

/** The data of an account's passkeys for browsers. */
export async function findCredentialIds({ prisma }: Queryable, userId: string) {
  const select = { credential_id: true, transports: true };
  const rows = await prisma.passkey.findMany({ where: { user_id: userId }, select, orderBy: { id: "asc" } });
  return rows.map(({ credential_id, transports }) => ({
    id: Buffer.from(credential_id).toString("base64url"),
    transports,
  }));
}

/** The passkey with that credential id (base64url), and the version of sessions that it may begin. */
export async function findCredential(connection: Queryable, credentialId: string) {
  const [credential] = await connection.query(findStatement, [Buffer.from(credentialId, "base64url")]);
  return credential;
}

export function countPasskeys({ prisma }: Queryable, userId: string): Promise<number> {
  return prisma.passkey.count({ where: { user_id: userId } });
}

/** @returns null when its credential id is taken */
export async function insertPasskey(
  { prisma }: Transaction,
  userId: string,
  passkey: NewPasskey,
): Promise<Passkey | null> {
  try {
    return toPasskey(await prisma.passkey.create({ data: { user_id: userId, ...passkey }, select: shown }));
  } catch (error) {
    if (isUniqueViolation(error, "passkeys_credential_id_key")) return null;
    throw error;
  }
}

/** @returns false when it is removed, or another use of it is as new */
export async function usePasskey(
  connection: Queryable,
  id: string,
  { counter, backedUp }: { counter: number; backedUp: boolean },
): Promise<boolean> {
  return (await connection.execute(useStatement, [id, counter, backedUp])) > 0;
}

/** @returns null when the account has no such passkey */
export async function renamePasskey(
  { prisma }: Queryable,
  { userId, id }: { userId: string; id: string },
  name: string | undefined,
): Promise<Passkey | null> {
  const data = name === undefined ? {} : { name };
  const rows = await prisma.passkey.updateManyAndReturn({ where: { id, user_id: userId }, data, select: shown });
  return rows[0] === undefined ? null : toPasskey(rows[0]);
}

/** Removes all passkeys of an account. */
export async function removePasskeys({ prisma }: Transaction, userId: string): Promise<void> {
  await prisma.passkey.deleteMany({ where: { user_id: userId } });
}

/** @returns false when the account has no such passkey */
export async function removePasskey(
  { prisma }: Queryable,
  { userId, id }: { userId: string; id: string },
): Promise<boolean> {
  return (await prisma.passkey.deleteMany({ where: { id, user_id: userId } })).count > 0;
}
