/**
 * The schema with every object closed: a field that the document does not name is a mistake. References lead to `api`.
 */
export function closed(schema: unknown, isOfNames = false): unknown {
  if (Array.isArray(schema)) return schema.map((each) => closed(each));
  if (typeof schema === "string") return schema.startsWith("#/components/schemas/") ? `api${schema}` : schema;
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).map(
    ([key, value]) => [key, key === "example" && !isOfNames ? null : closed(value, key === "properties")] as const,
  );
  const isClosable = "properties" in schema && "type" in schema && !("additionalProperties" in schema);
  return { ...Object.fromEntries(entries), ...(isClosable ? { additionalProperties: false } : {}) };
}
