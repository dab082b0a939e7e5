import { errorTexts, isStorableText, isUuid, listOf, text, uuidInput } from "@parley/contracts";
import { z } from "zod";

/**
 * A field of a PATCH body that cannot be null: null means unchanged, like leaving it out (docs/protocol/requests.md#1.3).
 *
 * @param schema what a given value must satisfy
 */
export function nonNull<S extends z.ZodType>(schema: S) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** A path parameter that identifies a resource (docs/protocol/requests.md#1.2). */
export const identifier = uuidInput();

/**
 * Ids of a request, each counted once.
 *
 * @param message text of the 400
 */
export function identifiers(max: number, message: string) {
  return listOf(uuidInput(message), { min: 1, max, message }).transform((ids) => [...new Set(ids)]);
}

/** Names of a list from a request; a name may stand in it twice. */
const namesMax = 100;

/**
 * A list of known names, each counted once; the first unknown one ends the check.
 *
 * @param texts.list text of the 400 for a value that is no list, or too long or short
 * @param texts.unknown text for an unknown entry, by its name or its JSON
 */
export function namesOf<Name extends string>(
  names: readonly Name[],
  { min = 0, list, unknown }: { min?: number; list: string; unknown: (name: string) => string },
) {
  return z
    .array(z.unknown(), list)
    .max(namesMax, list)
    .min(min, list)
    .transform((given, context) => {
      const known = new Set<Name>();
      for (const entry of given) {
        const name = names.find((each) => each === entry);
        if (name === undefined) {
          context.addIssue(unknown(typeof entry === "string" ? entry : JSON.stringify(entry)));
          return z.NEVER;
        }
        known.add(name);
      }
      return [...known];
    })
    .meta({ type: "array", items: { type: "string", enum: [...names] } });
}

/** Longest URL that events are delivered to, in code points. */
const deliveryUrlLengthMax = 2000;

/**
 * An http(s) URL that the webhook-dispatcher sends requests to.
 *
 * @param options.invalid text of the 400, as `tooLong`
 * @param options.max in code points
 */
export function deliveryUrl({
  invalid,
  tooLong,
  max = deliveryUrlLengthMax,
}: {
  invalid: string;
  tooLong: string;
  max?: number;
}) {
  return z
    .string(invalid)
    .refine((value) => isStorableText(value) && /^https?:\/\//i.test(value) && URL.canParse(value), {
      message: invalid,
      abort: true,
    })
    .pipe(text({ min: 0, max, message: tooLong }));
}

/** The largest position that the database can store. */
export const positionMax = 2 ** 31 - 1;

/** Place of a channel or role in its server (docs/protocol/objects.md#4.8, docs/protocol/objects.md#4.9). */
export const position = z
  .int(errorTexts.position_invalid)
  .min(0, errorTexts.position_invalid)
  .max(positionMax, errorTexts.position_invalid);

/** The last instant with a year of four digits. */
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const isoInstant = z.iso.datetime({ offset: true });

/**
 * An instant in ISO 8601, with `Z` or an offset. An instant before 1970 or, by its offset, after the year 9999 in UTC
 * becomes the nearest instant within.
 *
 * @param message text of the 400
 */
export function instant(message: string) {
  return z
    .string(message)
    .refine((value) => isoInstant.safeParse(value).success, message)
    .transform((value) => new Date(Math.min(Math.max(Date.parse(value), 0), latest)))
    .meta({ format: "date-time", example: "2026-01-02T03:04:05.678Z" });
}

/**
 * A cursor of a list in order of time: a row's id or an {@link instant}.
 *
 * @param message text of the 400
 */
export function idOrInstant(message: string) {
  return z.string(message).transform((value, context) => {
    if (isUuid(value)) return { id: value.toLowerCase() };
    const { data: time } = instant(message).safeParse(value);
    if (time !== undefined) return { time };
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  });
}
