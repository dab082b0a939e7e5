import type { PermissionName } from "@parley/contracts";
import { permissionBits } from "@parley/contracts";
import { permissionNames } from "../../state/access/permissions.js";
import { formats, texts } from "../../texts/texts.js";
import { showNumber, showTime } from "../../ui/look/show.js";

type Details = Readonly<Record<string, unknown>>;

/** Details that are ids. They get no phrase; an entry shows the name instead, if there is one. */
const ids: ReadonlySet<string> = new Set(["override_id", "role_id", "user_id", "from", "to"]);

/** Looks up a text by a name from the server, which may be newer than this page and send names without a text. */
export function textOf(known: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(known, name) ? (known[name] ?? name) : sentence(name);
}

/**
 * The details of an entry, one phrase for each.
 *
 * @param skipped names of details that the entry shows elsewhere, such as the name of the changed role
 */
export function phrasesOf(details: Details, skipped: readonly string[] = []): string[] {
  return Object.entries(details)
    .filter(([name, value]) => !ids.has(name) && !skipped.includes(name) && isSaid(name, value))
    .map(([name, value]) => `${textOf(texts.auditLog.details, name)}: ${valueText(name, value)}`);
}

/**
 * False for empty details: null (except where it means something: forever, no nickname), "", and overrides without
 * permissions.
 */
function isSaid(name: string, value: unknown): boolean {
  if (value === null) return name === "retention_days" || name === "nickname" || isQuota(name);
  return value !== "" && !((name === "allow" || name === "deny") && value === 0);
}

function valueText(name: string, value: unknown): string {
  const labels = texts.auditLog;
  if (typeof value === "boolean") return value ? labels.yes : labels.no;
  if (name === "retention_days") return typeof value === "number" ? labels.days(value) : labels.forever;
  if (isQuota(name)) return typeof value === "number" ? formats.storage(value) : labels.unlimited;
  if (typeof value === "number") {
    if (name === "duration_minutes") return labels.minutes(value);
    if (name === "permissions" || name === "allow" || name === "deny") return permissionsText(value);
    return showNumber(value);
  }
  if (name === "nickname" && value === null) return labels.nothing;
  if (isTexts(value)) return value.length === 0 ? labels.nothing : formats.list(value);
  if (typeof value !== "string") return JSON.stringify(value);
  if (name === "until" || name === "expires_at") return showTime(value);
  if (name === "type") return textOf({ text: texts.shell.channel.text, voice: texts.shell.channel.voice }, value);
  if (name === "registration_mode") {
    const { open, invite_only, closed } = texts.administration.registration;
    return textOf({ open, invite_only, closed }, value);
  }
  return settings.has(name) ? textOf(labels.values, value) : value;
}

/** Details whose values are words of the wire. */
const settings: ReadonlySet<string> = new Set([
  "files",
  "registration_challenge",
  "registration_email",
  "require_second_factor",
  "status",
]);

const isQuota = (name: string) => name === "quota" || name.startsWith("quota_");

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

function permissionsText(bits: number): string {
  const held = permissionNames.filter((name: PermissionName) => (bits & permissionBits[name]) !== 0);
  if (held.length === 0) return texts.auditLog.nothing;
  return formats.list(held.map((name) => texts.serverSettings.permissions[name]));
}

const sentence = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
