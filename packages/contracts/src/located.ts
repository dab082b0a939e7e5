import { z } from "zod";
import { checksWithin } from "./bounded.js";

/**
 * A field of a request whose first fault is named by where it is, such as `[0].fields[2].name: must be 1-256 characters`.
 *
 * @param schema of the value
 * @param text makes the text of the 400 from a fault, which begins with its path within the field
 */
export function located<Z extends z.ZodType>(schema: Z, text: (fault: string) => string) {
  const outer = z.unknown().transform((value, context): z.output<Z> => {
    const result = schema.safeParse(value, { error: reasonOf });
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    context.addIssue(text(`${pathText(issue?.path ?? [])}: ${issue?.message ?? "is invalid"}`));
    return z.NEVER;
  });
  return checksWithin(outer, schema);
}

/** A path as programs write it: `[0].fields[2].name`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
}

/** The reason for a rule that has no words of its own. */
function reasonOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return "is required";
  const things = issue.origin === "array" ? "entries" : "characters";
  const unit = issue.origin === "array" || issue.origin === "string" ? ` ${things}` : "";
  if (issue.code === "too_big") return `must be at most ${String(issue.maximum)}${unit}`;
  if (issue.code === "too_small") return `must be at least ${String(issue.minimum)}${unit}`;
  if (issue.code === "invalid_type") return `must be ${expected.get(String(issue.expected)) ?? "valid"}`;
  return "is invalid";
}

const expected = new Map([
  ["array", "a list"],
  ["boolean", "true or false"],
  ["int", "an integer"],
  ["number", "a number"],
  ["object", "an object"],
  ["string", "a text"],
]);
