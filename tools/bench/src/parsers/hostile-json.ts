/** The part of a described schema that shows which values may be long. */
export interface BodySchema {
  $ref?: string;
  type?: string;
  properties?: Record<string, BodySchema>;
  additionalProperties?: boolean | BodySchema;
  items?: BodySchema;
  anyOf?: BodySchema[];
  oneOf?: BodySchema[];
  allOf?: BodySchema[];
}

/** Values of one body; a body of JSON has at most 10,000. */
const valuesMax = 9_900;

/** Names that objects of the schema have, with the schemas of their values. */
function propertiesOf(schema: BodySchema, schemas: Readonly<Record<string, BodySchema>>): [string, BodySchema][] {
  const { $ref, properties = {}, anyOf = [], oneOf = [], allOf = [] } = resolved(schema, schemas);
  const parts = [...anyOf, ...oneOf, ...allOf].flatMap((part) => propertiesOf(part, schemas));
  return $ref === undefined ? [...Object.entries(properties), ...parts] : [];
}

function resolved(schema: BodySchema, schemas: Readonly<Record<string, BodySchema>>): BodySchema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : (schemas[name] ?? schema);
}

/**
 * Bodies of JSON that were made to be slow for any endpoint, and one for each property of its own that may be long.
 *
 * @param bytes most bytes of a body
 * @param schemas those that references name
 */
export function hostileJson(
  schema: BodySchema,
  schemas: Readonly<Record<string, BodySchema>>,
  bytes: number,
): [input: string, body: string][] {
  const list = <Item>(item: (n: number) => Item, count = valuesMax) => Array.from({ length: count }, (_, n) => item(n));
  const long = (text: string, rest: number) => text.repeat(Math.floor((bytes - rest) / text.length));
  const own = propertiesOf(schema, schemas).flatMap(([name, described]): [string, string][] => {
    const { type, items, additionalProperties, anyOf = [] } = resolved(described, schemas);
    const types = [type, ...anyOf.map((one) => resolved(one, schemas).type)];
    const found: [string, string][] = [];
    if (types.includes("string"))
      found.push([`\`${name}\` of 256 KB`, JSON.stringify({ [name]: long("a.", name.length + 16) })]);
    if (types.includes("array")) {
      const item = items === undefined ? undefined : resolved(items, schemas).type;
      const one = item === "string" ? () => "a" : item === "object" ? () => ({}) : () => 0;
      found.push([`${valuesMax.toLocaleString("en")} of \`${name}\``, JSON.stringify({ [name]: list(one) })]);
    }
    if (types.includes("object") && additionalProperties !== undefined) {
      const keys = list((n) => [`00000000-0000-4000-8000-${String(n).padStart(12, "0")}`, {}] as const, 4_900);
      found.push([`4,900 keys of \`${name}\``, JSON.stringify({ [name]: Object.fromEntries(keys) })]);
    }
    return found;
  });
  const names = Object.fromEntries(list((n) => [`name${n}`, 0], 1_900));
  return [
    ["5 objects of 1,900 names", JSON.stringify({ name: list(() => names, 5) })],
    ["arrays in arrays", "[".repeat(bytes / 2) + "]".repeat(bytes / 2)],
    ["escapes", `{"name":"${long("\\u0000", 16)}"}`],
    ...own,
  ];
}
