import type { z } from "zod";

/** One row of the settings table. `default` is null when there is none. */
export interface SettingRow {
  name: string;
  default: string | null;
  purpose: string;
  required: boolean;
}

/**
 * The settings table of a config schema, in the order of the schema: name, default, purpose (the description, which must
 * be the last call on the piece). A default that depends on the machine is described by the meta key `defaultText`.
 */
export function describeSettings(schema: z.ZodObject): SettingRow[] {
  return Object.entries(schema.shape).map(([name, piece]) => {
    const meta = "meta" in piece && typeof piece.meta === "function" ? piece.meta() : undefined;
    const whenAbsent = piece["~standard"].validate(undefined);
    if (whenAbsent instanceof Promise) throw new TypeError(`The setting ${name} must parse synchronously.`);
    return {
      name,
      default: typeof meta?.defaultText === "string" ? meta.defaultText : defaultText(whenAbsent),
      purpose: typeof meta?.description === "string" ? meta.description : "",
      required: whenAbsent.issues !== undefined,
    };
  });
}

function defaultText(whenAbsent: { value?: unknown; issues?: unknown }): string | null {
  if (whenAbsent.issues !== undefined || whenAbsent.value === undefined) return null;
  const value = whenAbsent.value;
  if (Array.isArray(value)) return value.length === 0 ? null : value.join(",");
  return String(value);
}
