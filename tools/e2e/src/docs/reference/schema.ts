import { z } from "zod";

/** The parts of a JSON Schema that the reference reads, as OpenAPI 3.0 and as the gateway's description write it. */
export const Schema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  nullable: z.boolean().optional(),
  description: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  default: z.unknown().optional(),
  example: z.unknown().optional(),
  examples: z.array(z.unknown()).optional(),
  pattern: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  required: z.array(z.string()).optional(),
  get properties(): z.ZodOptional<z.ZodRecord<z.ZodString, typeof Schema>> {
    return z.record(z.string(), Schema).optional();
  },
  get additionalProperties(): z.ZodOptional<z.ZodUnion<readonly [z.ZodBoolean, typeof Schema]>> {
    return z.union([z.boolean(), Schema]).optional();
  },
  get items(): z.ZodOptional<typeof Schema> {
    return Schema.optional();
  },
  get anyOf(): z.ZodOptional<z.ZodArray<typeof Schema>> {
    return z.array(Schema).optional();
  },
  get oneOf(): z.ZodOptional<z.ZodArray<typeof Schema>> {
    return z.array(Schema).optional();
  },
  get allOf(): z.ZodOptional<z.ZodArray<typeof Schema>> {
    return z.array(Schema).optional();
  },
});
export type Schema = z.infer<typeof Schema>;

const safe = Number.MAX_SAFE_INTEGER;
const code = (value: unknown) => `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
const nameOf = (ref: string) => ref.slice(ref.lastIndexOf("/") + 1);

/** Text of a cell: no line breaks, and no bar that would end it. */
export const cell = (text: string) => text.replaceAll("\n", " ").replaceAll("|", "\\|");

function range(least: number | undefined, most: number | undefined): string {
  const hasLeast = least !== undefined && least > -safe;
  const hasMost = most !== undefined && most < safe;
  if (hasLeast && hasMost) return least === most ? ` ${least}` : ` ${least}–${most}`;
  if (hasMost) return ` up to ${most}`;
  return hasLeast ? ` from ${least}` : "";
}

/**
 * The type of a value in a few words.
 *
 * @param objects the address of the page that describes objects
 */
export function typeText(schema: Schema, objects: string): string {
  const { $ref, type, format, nullable } = schema;
  const orNull = nullable === true ? " or null" : "";
  if ($ref !== undefined) return `[${nameOf($ref)}](${objects}#${nameOf($ref).toLowerCase()})${orNull}`;
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) {
    return (
      schema.enum
        .filter((value) => value !== null)
        .map(code)
        .join(" ") + orNull
    );
  }
  const several = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (several !== undefined) {
    return [...new Set(several.map((one) => typeText(one, objects)))].join(schema.allOf ? " and " : " or ") + orNull;
  }
  const types = [type ?? "any"].flat().join(" or ");
  if (types === "array") {
    return `array${range(schema.minItems, schema.maxItems)} of ${typeText(schema.items ?? {}, objects)}${orNull}`;
  }
  if (typeof schema.additionalProperties === "object" && schema.properties === undefined) {
    return `map to ${typeText(schema.additionalProperties, objects)}${orNull}`;
  }
  if (format === "uuid") return `uuid${orNull}`;
  if (format === "date-time") return `timestamp${orNull}`;
  const bounds = range(schema.minLength ?? schema.minimum, schema.maxLength ?? schema.maximum);
  const form = format === undefined ? "" : ` (${format})`;
  const pattern = schema.pattern === undefined ? "" : ` \`${schema.pattern}\``;
  return `${types}${bounds}${form}${pattern}${orNull}`;
}

/** The rows of a table of fields; those of objects inside are named with their path. */
function fieldRows(schema: Schema, objects: string, path = ""): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const optional = schema.required?.includes(name) ? "" : "?";
    const preset = field.default === undefined ? "" : `, else ${code(field.default)}`;
    const inner = field.type === "array" ? (field.items ?? {}) : field;
    const innerPath = `${path}${name}${field.type === "array" ? "[]" : ""}.`;
    const row = `| \`${path}${name}\`${optional} | ${cell(typeText(field, objects) + preset)} | ${cell(field.description ?? "")} |`;
    const shapes = inner.properties === undefined ? (inner.oneOf ?? inner.anyOf ?? []) : [inner];
    return [row, ...shapes.flatMap((shape) => fieldRows(shape, objects, innerPath))];
  });
}

/** The fields of an object as a table, or the type of anything else as a line. */
export function fields(schema: Schema, objects: string): string {
  const shapes = schema.oneOf ?? schema.anyOf ?? schema.allOf ?? [schema];
  const rows = [...new Set(shapes.flatMap((shape) => fieldRows(shape, objects)))];
  if (rows.length === 0) return typeText(schema, objects);
  return ["| Field | Type | |", "|---|---|---|", ...rows].join("\n");
}

/**
 * A value that a schema allows, made of the examples in it.
 *
 * @param isShort for requests: the required fields alone
 */
export function exampleOf(schema: Schema, shared: Readonly<Record<string, Schema>>, isShort: boolean): unknown {
  if (schema.$ref !== undefined) return exampleOf(shared[nameOf(schema.$ref)] ?? {}, shared, isShort);
  const given = schema.example ?? schema.examples?.[0] ?? schema.const ?? schema.enum?.[0] ?? schema.default;
  if (given !== undefined) return given;
  if (schema.nullable === true) return null;
  const several = schema.oneOf ?? schema.anyOf;
  if (several !== undefined) return exampleOf(several[0] ?? {}, shared, isShort);
  if (schema.allOf !== undefined) {
    return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, shared, isShort)));
  }
  if (schema.type === "array") return [exampleOf(schema.items ?? {}, shared, isShort)];
  if (schema.type === "boolean") return true;
  if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 0;
  if (schema.type === "string") return "text";
  const entries = Object.entries(schema.properties ?? {});
  const required = entries.filter(([name]) => schema.required?.includes(name));
  const shown = isShort && required.length > 0 ? required : entries.slice(0, isShort ? 1 : undefined);
  return Object.fromEntries(shown.map(([name, field]) => [name, exampleOf(field, shared, isShort)]));
}
