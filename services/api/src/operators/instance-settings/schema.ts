import { domainToASCII } from "node:url";
import { clearableText, errorTexts, listOf, quotaDefaults, timestamp, trimmedText, uuid } from "@parley/contracts";
import { z } from "zod";
import { nonNull } from "../../platform/http/input.js";

const RegistrationMode = z.enum(["open", "invite_only", "closed"], errorTexts.registration_mode_invalid);

/** The registration mode of the instance (docs/protocol/operators.md#18.1). */
export const RegistrationSetting = z.object({ registration_mode: RegistrationMode }).meta({ id: "RegistrationMode" });

/** Pages that an administrator writes in Markdown, each at its name below the address of the installation. */
export const writtenPageNames = ["terms", "privacy", "imprint"] as const;
export type WrittenPageName = (typeof writtenPageNames)[number];

const pageLengthMax = 50_000;
const writtenPage = (name: WrittenPageName) => clearableText(pageLengthMax, errorTexts.installation_page_length(name));
const color = z.string(errorTexts.accent_invalid).regex(/^#[0-9A-Fa-f]{6}$/, errorTexts.accent_invalid);
const emptyAsNull = z.literal("").transform(() => null);

/** Settings whose defaults no row has, as a PATCH takes them (docs/protocol/installation.md#34.1). */
const chosenInput = {
  name: nonNull(trimmedText({ min: 1, max: 64, message: errorTexts.installation_name_length })),
  description: clearableText(300, errorTexts.installation_description_length).optional(),
  accent: z.union([emptyAsNull, color], errorTexts.accent_invalid).nullish(),
  terms: writtenPage("terms").optional(),
  privacy: writtenPage("privacy").optional(),
  imprint: writtenPage("imprint").optional(),
  contact: clearableText(200, errorTexts.contact_length).optional(),
  files: nonNull(z.enum(["listed", "any"], errorTexts.files_setting_invalid)),
};

/** A domain in small letters, in the form of the domain name system. */
const domain = (message: string) =>
  z
    .string(message)
    .transform((value) => domainToASCII(value.trim().replace(/^@/, "")).toLowerCase())
    .refine((value) => domainPattern.test(value), message);
const domainPattern = /^(?=.{3,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;
const domains = (max: number, message: string) => listOf(domain(message), { max, message });

/** Who may register, beside the mode (docs/protocol/registration.md#34.2). */
const registrationInput = z
  .object(
    {
      email: nonNull(z.enum(["optional", "required"], errorTexts.registration_email_invalid)),
      email_domains: domains(100, errorTexts.email_domains_invalid)
        .nullish()
        // A list of no domain would let nobody in.
        .transform((list) => (list?.length === 0 ? null : list)),
      blocked_domains: nonNull(domains(10_000, errorTexts.blocked_domains_invalid)),
      approval: nonNull(z.boolean(errorTexts.registration_approval_not_boolean)),
      challenge: nonNull(z.enum(["off", "on", "auto"], errorTexts.registration_challenge_invalid)),
    },
    errorTexts.registration_settings_object,
  )
  .nullish()
  .transform((value) => value ?? undefined);

const RegistrationSettings = z.object({
  email: z.enum(["optional", "required"]),
  email_domains: z.array(z.string()).nullable(),
  blocked_domains: z.array(z.string()),
  approval: z.boolean(),
  challenge: z.enum(["off", "on", "auto"]),
});

/** Bytes; null: as many as there are. */
export const quotaInput = z
  .int(errorTexts.quota_invalid)
  .min(0, errorTexts.quota_invalid)
  .max(Number.MAX_SAFE_INTEGER, errorTexts.quota_invalid)
  .nullish();

/** How many bytes files may take (docs/protocol/storage.md#34.3). */
const quotasInput = z
  .object({ account: quotaInput, server: quotaInput, installation: quotaInput }, errorTexts.quota_settings_object)
  .nullish()
  .transform((value) => value ?? undefined);

const Quotas = z.object({
  account: z.int().nullable(),
  server: z.int().nullable(),
  installation: z.int().nullable(),
});

/** Asks every account to accept the terms that it has not accepted yet. */
const reaccept = nonNull(z.boolean(errorTexts.reaccept_not_boolean));

const Chosen = z.object({
  name: z.string(),
  description: z.string().nullable(),
  accent: z.string().nullable(),
  terms: z.string().nullable(),
  privacy: z.string().nullable(),
  imprint: z.string().nullable(),
  contact: z.string().nullable(),
  files: z.enum(["listed", "any"]),
  registration: RegistrationSettings,
  quota: Quotas,
  require_second_factor: z.enum(["none", "administrators", "everyone"], errorTexts.require_second_factor_invalid),
});
export type Chosen = z.infer<typeof Chosen>;

/** What holds until an administrator chooses something else. */
export const chosenDefaults: Chosen = {
  name: "Parley",
  description: null,
  accent: null,
  terms: null,
  privacy: null,
  imprint: null,
  contact: null,
  files: "listed",
  registration: { email: "optional", email_domains: null, blocked_domains: [], approval: false, challenge: "off" },
  quota: quotaDefaults,
  require_second_factor: "none",
};

/** The settings of the installation; there is one row of them. A setting with a default is a key only where it differs from that. */
export const InstanceSettings = z
  .object({
    id: z.literal(1),
    registration_mode: RegistrationMode,
    updated_at: timestamp,
    updated_by: uuid.nullable(),
    logo_url: z.string().optional(),
    ...Chosen.partial().extend({
      registration: RegistrationSettings.partial().optional(),
      quota: Quotas.partial().optional(),
    }).shape,
  })
  .meta({ id: "InstanceSettings" });
export type InstanceSettings = z.infer<typeof InstanceSettings>;

export const updateSettingsBody = z.object({
  registration_mode: nonNull(RegistrationMode),
  ...chosenInput,
  registration: registrationInput,
  quota: quotasInput,
  require_second_factor: nonNull(Chosen.shape.require_second_factor),
  reaccept,
});
export type UpdateSettings = z.infer<typeof updateSettingsBody>;

const address = z.string().nullable();

/** What everybody may read about the installation (docs/protocol/installation.md#34.1). */
export const Instance = z
  .object({
    name: z.string(),
    description: z.string().nullable(),
    logo_url: address,
    accent: z.string().nullable(),
    terms_url: address,
    privacy_url: address,
    imprint_url: address,
    contact: z.string().nullable(),
    version: z.string(),
    registration: z.object({
      mode: RegistrationMode,
      email: z.enum(["optional", "required"]),
      email_domains: z.array(z.string()).nullable(),
      approval: z.boolean(),
      challenge: z.boolean(),
    }),
    features: z.object({
      push: z.boolean(),
      mail: z.boolean(),
      sso: z.boolean(),
      voice_relay: z.boolean(),
      import: z.boolean(),
    }),
  })
  .meta({ id: "Instance" });
export type Instance = z.infer<typeof Instance>;
