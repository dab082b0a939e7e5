import { z } from "zod";

const List = z.core.$constructor<z.ZodArray>("List", (inst, def) => {
  z.ZodArray.init(inst, def);
  const { parse } = inst._zod;
  const max = Math.min(...z.core.util.sizeCaps(def.checks).map(([size]) => size));
  inst._zod.parse = (payload, context) => {
    const given: unknown = payload.value;
    // zod refuses a list that is too long before it looks at the entries.
    if (!Array.isArray(given) || given.length > max) return parse(payload, context);
    const read: unknown[] = [];
    for (const [at, value] of given.entries()) {
      const one = requireNow(def.element._zod.run({ value, issues: [] }, context));
      if (one.issues.length > 0) {
        payload.issues.push(...z.core.util.prefixIssues(at, one.issues).map(ending));
        return payload;
      }
      read.push(one.value);
    }
    return Object.assign(payload, { value: read });
  };
  inst._zod.bag.endsAtFirstFault = true;
});

/**
 * A list that strangers send: its length is checked before its entries, and the first faulty entry ends the check. An
 * issue for each of 10,000 entries would block the event loop for long, and the answer names only the first one.
 *
 * @param bounds.message for a value that is no list, or too long or short; without one the path of the fault has its
 * own text
 * @param bounds.tooMany another text for a list that is too long
 */
export function listOf<Entry extends z.ZodType>(
  entry: Entry,
  bounds: { min?: number; max: number; message?: string; tooMany?: string },
): z.ZodArray<Entry>;
export function listOf(
  entry: z.ZodType,
  { min = 0, max, message, tooMany = message }: { min?: number; max: number; message?: string; tooMany?: string },
): z.ZodArray {
  const list = new List({ type: "array", element: entry, ...(message === undefined ? {} : { error: () => message }) });
  return (min > 0 ? list.min(min, message) : list).max(max, tooMany);
}

const Entries = z.core.$constructor<z.ZodRecord, z.core.$ZodRecordDef & { entriesMax: number }>(
  "Entries",
  (inst, def) => {
    z.ZodRecord.init(inst, def);
    const { parse } = inst._zod;
    inst._zod.parse = (payload, context) => {
      const given: unknown = payload.value;
      if (typeof given !== "object" || given === null || Array.isArray(given)) return parse(payload, context);
      const names = Object.keys(given);
      if (names.length > def.entriesMax) {
        const message = `must be at most ${def.entriesMax} entries`;
        payload.issues.push({ code: "custom", message, input: given, inst, continue: false });
        return payload;
      }
      const read = {};
      for (const name of names) {
        const one = requireNow(parse({ value: { [name]: Reflect.get(given, name) }, issues: [] }, context));
        if (one.issues.length > 0) {
          payload.issues.push(...one.issues.map(ending));
          return payload;
        }
        Object.assign(read, one.value);
      }
      return Object.assign(payload, { value: read });
    };
    inst._zod.bag.endsAtFirstFault = true;
  },
);

/**
 * An object whose keys a stranger chooses, checked like a list.
 *
 * @param options.error text of a fault of a key, or of a value that is no object
 */
export function mapOf<Key extends z.ZodType<string, string>, Entry extends z.ZodType>(
  key: Key,
  entry: Entry,
  options: { max: number; error: z.core.$ZodErrorMap },
): z.ZodRecord<Key, Entry>;
export function mapOf(
  key: z.ZodType<string, string>,
  entry: z.ZodType,
  { max, error }: { max: number; error: z.core.$ZodErrorMap },
): z.ZodRecord {
  return new Entries({ type: "record", keyType: key, valueType: entry, error, entriesMax: max });
}

/** The rest of the schema does not run on unread entries. */
const ending = <Issue extends z.core.$ZodRawIssue>(issue: Issue): Issue => ({ ...issue, continue: false });

function requireNow<T>(result: T | Promise<T>): T {
  if (result instanceof Promise) throw new Error("Entries are checked without waiting");
  return result;
}

/**
 * Notes that a schema checks another one in a function of its own, for tests that walk through schemas.
 *
 * @returns the outer schema
 */
export function checksWithin<S extends z.ZodType>(outer: S, inner: z.ZodType): S {
  outer._zod.bag.within = inner;
  return outer;
}
