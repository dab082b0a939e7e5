import { z } from "zod";

/** The results of a walk through a schema, as paths: `.embeds[].fields`. */
export interface SchemaParts {
  /** Lists and maps whose size is checked before their entries, and whose first faulty entry ends the check. */
  bounded: string[];
  /** All other lists and maps, and kinds of schemas that the walk does not know. */
  unbounded: string[];
}

/** Walks through the parts of a schema, including those that its parts check in functions of their own. */
export function walkSchema(schema: z.core.$ZodType): SchemaParts {
  const walked: SchemaParts = { bounded: [], unbounded: [] };
  walk(schema, "", walked);
  return walked;
}

const leaves = new Set(["string", "number", "boolean", "enum", "literal", "unknown", "transform", "null", "undefined"]);

function walk(schema: z.core.$ZodType, path: string, walked: SchemaParts): void {
  const { within } = schema._zod.bag;
  const walkAll = (parts: readonly z.core.$ZodType[]) => {
    for (const part of parts) walk(part, path, walked);
  };
  if (within instanceof z.core.$ZodType) walk(within, path, walked);
  else if (schema instanceof z.core.$ZodArray) {
    // A schema without rules for its entries finds no fault in one.
    const { element } = schema._zod.def;
    const endsAtFirstFault = "endsAtFirstFault" in schema._zod.bag || element instanceof z.core.$ZodUnknown;
    const isMeasured = z.core.util.sizeCaps(schema._zod.def.checks).length > 0;
    (isMeasured && endsAtFirstFault ? walked.bounded : walked.unbounded).push(path);
    walk(element, `${path}[]`, walked);
  } else if (schema instanceof z.core.$ZodRecord) {
    ("endsAtFirstFault" in schema._zod.bag ? walked.bounded : walked.unbounded).push(path);
    walk(schema._zod.def.valueType, `${path}{}`, walked);
  } else if (schema instanceof z.core.$ZodObject) {
    for (const [name, part] of Object.entries(schema._zod.def.shape)) walk(part, `${path}.${name}`, walked);
  } else if (schema instanceof z.core.$ZodUnion) walkAll(schema._zod.def.options);
  else if (schema instanceof z.core.$ZodPipe) walkAll([schema._zod.def.in, schema._zod.def.out]);
  else if (
    schema instanceof z.core.$ZodOptional ||
    schema instanceof z.core.$ZodNullable ||
    schema instanceof z.core.$ZodDefault ||
    schema instanceof z.core.$ZodCatch
  )
    walk(schema._zod.def.innerType, path, walked);
  else if (!leaves.has(schema._zod.def.type)) walked.unbounded.push(`${path}: ${schema._zod.def.type}`);
}
