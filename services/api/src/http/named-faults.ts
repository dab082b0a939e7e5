import { z } from "zod";

/**
 * A part of a body whose 400 names the first fault by its path: `commands[2].options[0].name: …`.
 *
 * @param root name of the part in the body
 * @param schema what it is to be; the text of the fault is that of the rule that failed
 */
export function namedFaults<S extends z.ZodType>(root: string, schema: S) {
  return z.unknown().transform((value, context): z.output<S> => {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    const [issue] = result.error.issues;
    context.addIssue(faultText(root, issue?.path ?? [], issue?.message ?? "Invalid input"));
    return z.NEVER;
  });
}

/** The text of a fault: where it is, and what it is. */
export function faultText(root: string, path: readonly PropertyKey[], fault: string): string {
  const steps = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`));
  return `${root}${steps.join("")}: ${fault}`;
}
