import { z } from "zod";

/** A schema of draft 07, as far as the description reads it; other keywords are kept. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly $ref?: string | undefined;
  readonly type?: string | string[] | undefined;
  readonly description?: string | undefined;
  readonly const?: unknown;
  readonly enum?: unknown[] | undefined;
  readonly format?: string | undefined;
  readonly examples?: unknown[] | undefined;
  readonly minItems?: number | undefined;
  readonly required?: string[] | undefined;
  readonly properties?: Record<string, JsonSchema> | undefined;
  readonly items?: JsonSchema | undefined;
  readonly anyOf?: JsonSchema[] | undefined;
  readonly allOf?: JsonSchema[] | undefined;
  readonly additionalProperties?: JsonSchema | undefined;
}

const JsonSchema: z.ZodType<JsonSchema> = z.lazy(() =>
  z.looseObject({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    description: z.string().optional(),
    const: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    format: z.string().optional(),
    examples: z.array(z.unknown()).optional(),
    minItems: z.int().optional(),
    required: z.array(z.string()).optional(),
    properties: z.record(z.string(), JsonSchema).optional(),
    items: JsonSchema.optional(),
    anyOf: z.array(JsonSchema).optional(),
    allOf: z.array(JsonSchema).optional(),
    additionalProperties: JsonSchema.optional(),
  }),
);

/** Schemas by name, and those with an id, to which the others refer. */
export interface JsonSchemas {
  schemas: Readonly<Record<string, JsonSchema>>;
  shared: Readonly<Record<string, JsonSchema>>;
}

/** Where shared schemas are in an AsyncAPI document. */
export const sharedSchemaPrefix = "#/components/schemas/";

const definitionPrefix = "#/definitions/";
const Converted = z.object({
  properties: z.record(z.string(), JsonSchema),
  definitions: z.record(z.string(), JsonSchema).default({}),
});

/** Writes zod schemas as JSON Schema of their input. */
export function toJsonSchemas(named: Iterable<readonly [string, z.ZodType]>): JsonSchemas {
  const converted = z.toJSONSchema(z.object(Object.fromEntries(named)), {
    target: "draft-7",
    io: "input",
    override: ({ zodSchema, jsonSchema }) => {
      // The metadata of these schemas expresses null in the way of OpenAPI 3.0.
      if (zodSchema._zod.def.type === "null") Object.assign(jsonSchema, { type: "null", nullable: undefined });
    },
  });
  const { properties, definitions } = Converted.parse(tidy(converted));
  return { schemas: properties, shared: definitions };
}

/** Rewrites references and examples, and leaves out bounds that every integer has in JavaScript. */
function tidy(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(tidy);
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).flatMap(([key, value]): [string, unknown][] => {
    if (value === undefined || key === "propertyNames" || key === "id") return [];
    if (key === "example") return [["examples", [value]]];
    if (Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER && /imum$/.test(key)) return [];
    if (key === "$ref" && typeof value === "string") {
      return [[key, value.replace(definitionPrefix, sharedSchemaPrefix)]];
    }
    if (key === "properties" || key === "definitions") return [[key, tidyEach(value)]];
    return [[key, tidy(value)]];
  });
  return Object.fromEntries(entries);
}

/** Names of properties are no keywords, also if they equal one. */
function tidyEach(schemas: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(Object(schemas)).map(([name, schema]) => [name, tidy(schema)]));
}
