import { isDeepStrictEqual } from "node:util";
import type { InstanceSettings as InstanceSettingsRow, Queryable, Transaction } from "@parley/database/prisma";
import type { MailFace } from "../../platform/mail/send-mail.js";
import { type Chosen, chosenDefaults, InstanceSettings, type UpdateSettings } from "./schema.js";

const where = { id: 1 };

const toSettings = ({ chosen, updated_at, logo_url, ...row }: InstanceSettingsRow): InstanceSettings =>
  InstanceSettings.parse({
    ...row,
    ...(logo_url === null ? {} : { logo_url }),
    ...(chosen as object),
    updated_at: updated_at.toISOString(),
  });

const readRow = ({ prisma }: Queryable) => prisma.instanceSettings.findUniqueOrThrow({ where });

/** The settings of the installation. */
export async function readSettings(connection: Queryable): Promise<InstanceSettings> {
  return toSettings(await readRow(connection));
}

/** The same with the defaults of what nobody chose, and the versions of the terms. */
export async function readWhole(connection: Queryable) {
  const row = await readRow(connection);
  const { logo_url, terms_version } = row;
  const settings = toSettings(row);
  const registration = { ...chosenDefaults.registration, ...settings.registration };
  const quota = { ...chosenDefaults.quota, ...settings.quota };
  return { ...chosenDefaults, ...settings, registration, quota, logo_url, terms_version };
}

/**
 * The installation as its mails show it.
 *
 * @param publicUrl address that people reach the installation at; without one mails show no logo
 */
export async function readMailFace(connection: Queryable, publicUrl: string | undefined): Promise<MailFace> {
  const { name, logo_url } = await readSettings(connection);
  const isShown = logo_url !== undefined && publicUrl !== undefined;
  return {
    name: name ?? null,
    logo: isShown ? { url: new URL(logo_url, publicUrl).href, alt: name ?? chosenDefaults.name } : null,
  };
}

/** The values that differ from the defaults after the changes; undefined changes nothing. */
function chosenOf<Values extends object>(
  defaults: Values,
  before: Values,
  changes: { [Name in keyof Values]?: Values[Name] | undefined },
): Partial<Values> {
  const chosen: Partial<Values> = {};
  for (const name of Object.keys(defaults) as (keyof Values)[]) {
    const value = changes[name] === undefined ? before[name] : changes[name];
    if (!isDeepStrictEqual(value, defaults[name])) chosen[name] = value;
  }
  return chosen;
}

/** Settings that are objects; a PATCH merges them. */
type Nested = "registration" | "quota";

/** Writes changes in a transaction that has locked the settings; a setting that is its default again is not stored. */
export async function updateSettings(
  transaction: Transaction,
  adminId: string,
  { registration_mode, reaccept = false, ...changes }: UpdateSettings,
): Promise<InstanceSettings> {
  const before = await readWhole(transaction);
  const registration = chosenOf(chosenDefaults.registration, before.registration, changes.registration ?? {});
  const quota = chosenOf(chosenDefaults.quota, before.quota, changes.quota ?? {});
  const chosen: Omit<Partial<Chosen>, Nested> & { [Name in Nested]?: Partial<Chosen[Name]> } = {
    ...chosenOf(chosenDefaults, before, {
      ...changes,
      registration: chosenDefaults.registration,
      quota: chosenDefaults.quota,
    }),
    ...(Object.keys(registration).length === 0 ? {} : { registration }),
    ...(Object.keys(quota).length === 0 ? {} : { quota }),
  };
  const terms = chosen.terms ?? null;
  const terms_version = before.terms_version + (terms === before.terms ? 0 : 1);
  // Nobody has to accept terms that there are no more.
  const terms_asked = terms === null ? 0 : reaccept ? terms_version : undefined;
  const data = { registration_mode, chosen, terms_version, terms_asked, updated_at: new Date(), updated_by: adminId };
  return toSettings(await transaction.prisma.instanceSettings.update({ where, data }));
}

/** Sets or removes the logo. */
export async function setLogo(
  { prisma }: Transaction,
  adminId: string,
  logo_url: string | null,
): Promise<InstanceSettings> {
  const data = { logo_url, updated_at: new Date(), updated_by: adminId };
  return toSettings(await prisma.instanceSettings.update({ where, data }));
}
