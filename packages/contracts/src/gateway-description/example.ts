import { type JsonSchema, sharedSchemaPrefix } from "./json-schema.js";

/**
 * A value that a schema allows, made of the examples in it. A nullable value without an example is null.
 *
 * @param shared schemas that the schema may refer to
 * @param name name of the property, by which ids differ
 */
export function exampleOf(schema: JsonSchema, shared: Readonly<Record<string, JsonSchema>>, name = "id"): unknown {
  if (schema.$ref !== undefined) {
    const target = shared[schema.$ref.slice(sharedSchemaPrefix.length)];
    if (target === undefined) throw new Error(`${schema.$ref} leads nowhere.`);
    return exampleOf(target, shared, name);
  }
  if (schema.examples !== undefined) return isId(schema) ? exampleId(name) : schema.examples[0];
  if ("const" in schema) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const types = schema.anyOf?.map(({ type }) => type) ?? [schema.type].flat();
  if (types.includes("null")) return null;
  const [whole] = schema.allOf ?? [];
  // Schemas list the narrowest alternative first, the most usual last.
  const usual = whole ?? schema.anyOf?.at(-1);
  return usual === undefined || schema.type !== undefined
    ? exampleOfType(schema, shared, name)
    : exampleOf(usual, shared, name);
}

function exampleOfType(schema: JsonSchema, shared: Readonly<Record<string, JsonSchema>>, name: string): unknown {
  switch (schema.type) {
    case "object": {
      const { properties, additionalProperties } = schema;
      if (properties === undefined && additionalProperties !== undefined) {
        return { [exampleId(name)]: exampleOf(additionalProperties, shared, name) };
      }
      // A property of any type, such as `t` of a client's frame, is none that an example needs.
      const typed = Object.entries(properties ?? {}).filter(([, property]) => Object.keys(property).length > 0);
      return Object.fromEntries(typed.map(([key, property]) => [key, exampleOf(property, shared, key)]));
    }
    case "array":
      return Array.from({ length: schema.minItems ?? 1 }, () => exampleOf(schema.items ?? {}, shared, name));
    case "boolean":
      return false;
    case "integer":
      return 0;
    case "string":
      return "text";
    default:
      throw new Error(`No example for ${name}: ${JSON.stringify(schema)}`);
  }
}

function isId({ format, anyOf }: JsonSchema): boolean {
  return format === "uuid" || (anyOf?.some(isId) ?? false);
}

/** The same id for the same name; names that end alike mean the same thing only by chance. */
function exampleId(name: string): string {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + character.charCodeAt(0)) % 0xffff_ffff;
  return `0190a5b4-7c1d-7e3a-9f00-${hash.toString(16).padStart(12, "0")}`;
}
