import { z } from "zod";
import { type Fault, invalidForm } from "./errors.js";

/** Discord's names for the faults that zod finds. */
function codeOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "custom") return String(issue.params?.code ?? "BASE_TYPE_BAD");
  if (issue.code === "too_big" || issue.code === "too_small") {
    const bound = issue.code === "too_big" ? "MAX" : "MIN";
    if (issue.origin === "array") return `BASE_TYPE_${bound}_LENGTH`;
    return issue.origin === "string" ? "BASE_TYPE_BAD_LENGTH" : `NUMBER_TYPE_${bound}`;
  }
  if (issue.code === "invalid_value") return "BASE_TYPE_CHOICES";
  const isMissing = issue.code === "invalid_type" && issue.input === undefined;
  return isMissing ? "BASE_TYPE_REQUIRED" : "BASE_TYPE_BAD_TYPE";
}

/** A body or query as its schema has it. @throws DiscordError 50035 with the tree of its faults */
export function readInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value, { reportInput: true });
  if (read.success) return read.data;
  throw invalidForm(
    read.error.issues.map(
      (issue): Fault => ({
        path: issue.path.map((key) => (typeof key === "symbol" ? String(key) : key)),
        code: codeOf(issue),
        message: issue.message,
      }),
    ),
  );
}

/** A number of a query. */
export function numberOf(
  query: URLSearchParams,
  name: string,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  const text = query.get(name);
  if (text === null) return fallback;
  return readInput(z.object({ [name]: z.coerce.number().int().min(min).max(max) }), { [name]: text })[name] as number;
}

/** A time of a query, as ISO text. */
export function timeQuery(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const time = readInput(z.object({ [name]: z.iso.datetime({ offset: true, local: true }) }), { [name]: text })[name];
  return new Date(time as string).toISOString();
}

/** Whether a query says yes: some libraries write a number. */
export const isSet = (query: URLSearchParams, name: string): boolean => /^(?:true|1)$/i.test(query.get(name) ?? "");

/** Snowflakes come as text, by some libraries as a number. */
export const snowflakeInput = z.union([z.string().regex(/^\d{1,20}$/), z.int().nonnegative()]).transform(String);
/** A snowflake of a query. */
export function snowflakeQuery(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name);
  return text === null ? undefined : readInput(z.object({ [name]: snowflakeInput }), { [name]: text })[name];
}

/** Bits come as text, by older programs as a number. */
export const bitsInput = z
  .union([z.string().regex(/^\d{1,20}$/), z.int().nonnegative()])
  .transform((bits) => BigInt(bits));

/** A path with its query, without undefined values. */
export function withQuery(path: string, query: Record<string, string | number | undefined>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)]))).toString();
  return text === "" ? path : `${path}?${text}`;
}
