import { z } from "zod";
import { cell, exampleOf, fields, Schema, typeText } from "./schema.js";

const Content = z.record(z.string(), z.object({ schema: Schema.optional() }));
const Answer = z.object({
  $ref: z.string().optional(),
  description: z.string().optional(),
  content: Content.optional(),
});
const Operation = z.object({
  operationId: z.string(),
  tags: z.tuple([z.string()]),
  summary: z.string(),
  description: z.string().optional(),
  "x-client-method": z.string(),
  "x-right": z.string().optional(),
  "x-events": z.array(z.string()).optional(),
  "x-body-bytes": z.record(z.string(), z.number()).optional(),
  "x-attempts": z.record(z.string(), z.string()).optional(),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.string(),
        required: z.boolean().optional(),
        description: z.string().optional(),
        schema: Schema,
      }),
    )
    .default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), Answer),
});
type Operation = z.infer<typeof Operation>;

/** The parts of the API description that the reference reads. */
export const ApiDescription = z.object({
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
});
export type ApiDescription = z.infer<typeof ApiDescription>;

const objects = "../objects.md";
/** The file of a group of endpoints. */
export const fileOfTag = (tag: string) => `${tag.replaceAll(" ", "-")}.md`;

/** One page for each group of endpoints, by its file. */
export function endpointPages({ tags, paths, components }: ApiDescription): Map<string, string> {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
  return new Map(
    tags.map(({ name: tag, description }) => {
      const own = operations.filter(({ operation }) => operation.tags[0] === tag);
      const links = own.map(
        ({ name, operation }) => `- [\`${name}\`](#${operation.operationId}): ${operation.summary}`,
      );
      const sections = own.map(({ name, operation }) => endpointSection(name, operation, components.schemas));
      return [fileOfTag(tag), [`# ${tag}`, description, links.join("\n"), ...sections].join("\n\n")];
    }),
  );
}

function endpointSection(name: string, operation: Operation, schemas: Record<string, Schema>): string {
  const { parameters, requestBody, responses } = operation;
  const rows = parameters
    .filter(({ in: place }) => place === "query")
    .map(
      ({ name: parameter, required, schema, description }) =>
        `| \`${parameter}\`${required === true ? "" : "?"} | ${cell(typeText(schema, objects))} | ${cell(description ?? schema.description ?? "")} |`,
    );
  const query = rows.length === 0 ? [] : [["| Query | Type | |", "|---|---|---|", ...rows].join("\n")];
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { schema = {} }]) =>
    type === "application/json" ? fields(schema, objects) : `As \`${type}\`:\n\n${fields(schema, objects)}`,
  );
  const json = requestBody?.content["application/json"]?.schema;
  const body = json === undefined ? "" : `\n${JSON.stringify(exampleOf(json, schemas, true))}`;
  const example = ["```http", `${exampleAddress(name, parameters)}${body}`, "```"].join("\n");
  return [
    `<a id="${operation.operationId}"></a>\n\n## ${name}`,
    operation.summary + (operation.description === undefined ? "" : `. ${operation.description}`),
    facts(operation),
    ...query,
    ...bodies,
    example,
    answers(responses),
  ].join("\n\n");
}

/** An address as it is typed, with the ids of the examples. */
function exampleAddress(name: string, parameters: Operation["parameters"]): string {
  const example = (parameter: string) => {
    const found = parameters.find((one) => one.name === parameter)?.schema;
    return encodeURIComponent(String(found === undefined ? parameter : exampleOf(found, {}, true)));
  };
  const required = parameters.filter((one) => one.in === "query" && one.required === true);
  const query = required.map((one) => `${one.name}=${example(one.name)}`).join("&");
  return name.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => example(parameter)) + (query && `?${query}`);
}

function facts(operation: Operation): string {
  const callers = operation.security.flatMap((kind) => Object.keys(kind)).map((kind) => `${kind}s`);
  const lines: [string, string][] = [
    ["Caller", callers.length === 0 ? "anyone" : callers.join(" and ")],
    ["Right", operation["x-right"] ?? ""],
    ["Causes", (operation["x-events"] ?? []).map((event) => `\`${event}\``).join(" ")],
    [
      "Body",
      Object.entries(operation["x-body-bytes"] ?? {})
        .map(([type, bytes]) => `${type}: at most ${bytes} bytes`)
        .join(", "),
    ],
    [
      "Secrets",
      Object.entries(operation["x-attempts"] ?? {})
        .map(([field, kind]) => `\`${field}\` is ${kind}`)
        .join(", "),
    ],
    ["Client", `\`${operation["x-client-method"]}\``],
  ];
  return lines.flatMap(([fact, value]) => (value === "" ? [] : [`- ${fact}: ${value}`])).join("\n");
}

function answers(responses: Operation["responses"]): string {
  const rows = Object.entries(responses).flatMap(([status, { $ref, description = "", content = {} }]) => {
    // The page of errors has the answers that every endpoint may give.
    if ($ref !== undefined) return [];
    const types = Object.entries(content).map(([type, { schema = {} }]) =>
      type === "application/json" ? typeText(schema, objects) : `\`${type}\``,
    );
    const shown = status.startsWith("2") || status.startsWith("3") ? types.join(", ") : "";
    return [`| ${status} | ${cell([shown, description].filter((text) => text !== "").join(": "))} |`];
  });
  return [["| Answer | |", "|---|---|", ...rows].join("\n"), ...answerFields(responses)].join("\n\n");
}

/** The fields of answers that are no object with a name. */
function answerFields(responses: Operation["responses"]): string[] {
  return Object.entries(responses).flatMap(([status, { content }]) => {
    const schema = content?.["application/json"]?.schema;
    const shape = schema?.type === "array" ? schema.items : schema;
    return status.startsWith("2") && shape?.properties !== undefined
      ? [`Fields of the ${status}:\n\n${fields(shape, objects)}`]
      : [];
  });
}
