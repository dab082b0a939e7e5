import { errorTexts, invalidInput, notFound } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import { requireAdminsRemain } from "../../access/admin-lock.js";
import { type AdminLogRecord, appendAdminLog } from "../../access/admin-log/repository.js";
import { lacksFactor } from "../../access/factor-repository.js";
import { lockAdministration } from "../../access/repository.js";
import type { Config } from "../../config.js";
import { version } from "../../version.js";
import { readSettings, readWhole, setLogo, updateSettings } from "./repository.js";
import type { Instance, InstanceSettings, UpdateSettings, WrittenPageName } from "./schema.js";
import { renderPage } from "./written-page.js";

export function createInstanceSettingsService({ database, config }: { database: Database; config: Config }) {
  const change = (
    adminId: string,
    details: AdminLogRecord["details"],
    work: (transaction: Transaction) => Promise<InstanceSettings>,
  ) =>
    database.transaction(async (transaction) => {
      await lockAdministration(transaction);
      await requireAdminsRemain(transaction, adminId);
      const settings = await work(transaction);
      await appendAdminLog(transaction, { adminId, action: "settings_update", targetId: null, details });
      return settings;
    });

  return {
    /** What everybody may read about the installation. */
    async describe(): Promise<Instance> {
      const { registration_mode, name, description, accent, contact, logo_url, registration, ...written } =
        await readWhole(database);
      const addressOf = (page: WrittenPageName) => (written[page] === null ? null : `/${page}`);
      return {
        ...{ name, description, accent, contact, version, logo_url },
        terms_url: addressOf("terms"),
        privacy_url: addressOf("privacy"),
        imprint_url: addressOf("imprint"),
        registration: {
          mode: registration_mode,
          email: registration.email,
          email_domains: registration.email_domains,
          approval: registration.approval,
          challenge: registration.challenge !== "off",
        },
        features: {
          push: true,
          mail: config.SMTP_URL !== undefined,
          sso: config.OIDC_ISSUER !== undefined,
          voice_relay: config.TURN_URLS.length > 0,
          import: true,
        },
      };
    },

    /** A page that an administrator wrote, as HTML. @throws ServiceError 404 where there is none */
    async writtenPage(page: WrittenPageName): Promise<string> {
      const { name, [page]: text } = await readWhole(database);
      if (text === null) throw notFound(errorTexts.installation_page_not_found);
      return renderPage({ title: name, text });
    },

    /** @throws ServiceError 400 for addresses that are needed and cannot be confirmed, and for a second factor that the caller lacks */
    async update(adminId: string, changes: UpdateSettings): Promise<InstanceSettings> {
      const details = noted(changes);
      if (Object.keys(details).length === 0) return readSettings(database);
      if (changes.registration?.email === "required" && config.SMTP_URL === undefined)
        throw invalidInput(errorTexts.registration_email_needs_mail);
      const demands = (changes.require_second_factor ?? "none") !== "none";
      return change(adminId, details, async (transaction) => {
        if (demands && (await lacksFactor(transaction, adminId)))
          throw invalidInput(errorTexts.second_factor_to_demand);
        return updateSettings(transaction, adminId, changes);
      });
    },

    /**
     * Sets or removes the logo.
     *
     * @param keep does further work in the same transaction
     */
    setLogo: (
      adminId: string,
      url: string | null,
      keep: (transaction: Transaction) => Promise<void> = async () => undefined,
    ): Promise<InstanceSettings> =>
      change(adminId, { logo: url !== null }, async (transaction) => {
        await keep(transaction);
        return setLogo(transaction, adminId, url);
      }),
  };
}

/** The settings of the installation (docs/protocol/operators.md#18.1, docs/protocol/installation.md#34.1). */
export type InstanceSettingsService = ReturnType<typeof createInstanceSettingsService>;

/** Longest text or list that the log repeats, in UTF-16 units or entries; of a longer one it says only how long it is. */
const notedLengthMax = 300;

/** The changes for the log: none of a body that changes nothing. */
const noted = ({ registration, quota, ...changes }: UpdateSettings) => {
  const details: AdminLogRecord["details"] = {};
  const nested = Object.entries({ registration, quota }).flatMap(([group, values]) =>
    Object.entries(values ?? {}).map(([name, value]) => [`${group}_${name}`, value] as const),
  );
  for (const [name, value] of [...Object.entries(changes), ...nested]) {
    if (value === undefined) continue;
    const isLong = (typeof value === "string" || Array.isArray(value)) && value.length > notedLengthMax;
    if (isLong) details[`${name}_length`] = value.length;
    else details[name] = value;
  }
  return details;
};
