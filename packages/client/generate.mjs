// Writes the client's types and methods from the description of the API, which the build of the api writes, and from that
// of the gateway.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { allPermissionBits, permissionBits, events as storedEvents } from "@parley/contracts";
import { describeGateway } from "@parley/contracts/gateway-description";

const description = new URL(import.meta.resolve("@parley/api-description/openapi.json"));
const document = JSON.parse(readFileSync(description, "utf8"));
const { frames, shared } = describeGateway();

const refPrefix = "#/components/schemas/";
const indent = (text) => text.replaceAll("\n", "\n  ");
const comment = (text) => `/** ${text.replaceAll("*/", "* /").replaceAll("\n", " ")} */\n`;

/** The type of a shared schema; one named Error would hide the platform's. */
const typeNameOf = (name) => (name === "Error" ? "ErrorBody" : name);

/** A schema of OpenAPI 3.0 or JSON Schema as a type. */
function typeOf(schema) {
  if (schema.$ref !== undefined) return typeNameOf(schema.$ref.slice(refPrefix.length));
  if (schema.nullable === true) {
    const { nullable: _, enum: values, ...rest } = schema;
    const allowed = values?.filter((value) => value !== null);
    if (allowed?.length === 0) return "null";
    return `${typeOf(allowed === undefined ? rest : { ...rest, enum: allowed })} | null`;
  }
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return [...new Set(options.map(optionOf))].join(" | ");
  if (schema.allOf !== undefined) return schema.allOf.map(typeOf).join(" & ");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(" | ");
  switch (schema.type) {
    case "string":
      return schema.format === "binary" ? "Blob" : "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "null":
      return "null";
    case "array": {
      const item = typeOf(schema.items ?? {});
      return /[ |&]/.test(item) ? `(${item})[]` : `${item}[]`;
    }
    case "object":
      return objectType(schema);
    default:
      return "unknown";
  }
}

/** One of several schemas; the description of the API writes null among them as a schema that allows everything. */
const optionOf = (schema) => (Object.keys(schema).length === 0 ? "null" : typeOf(schema));

function objectType({ properties, required = [], additionalProperties }) {
  if (properties === undefined) {
    const value = typeof additionalProperties === "object" ? typeOf(additionalProperties) : "unknown";
    return `Record<string, ${value}>`;
  }
  const fields = Object.entries(properties).map(([name, schema]) => {
    const note = schema.description === undefined ? "" : comment(schema.description);
    return `  ${indent(`${note}${name}${required.includes(name) ? "" : "?"}: ${typeOf(schema)};`)}\n`;
  });
  return `{\n${fields.join("")}}`;
}

const words = (name) => name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

function namedType(name, schema) {
  const note = comment(schema.description ?? `The object "${words(name)}" of the interface.`);
  const type = typeOf(schema);
  const isChoice = (schema.anyOf ?? schema.oneOf) !== undefined;
  return !isChoice && type.startsWith("{") && type.endsWith("}")
    ? `${note}export interface ${name} ${type}\n`
    : `${note}export type ${name} = ${type};\n`;
}

const types = new Map(
  Object.entries({ ...shared, ...document.components.schemas }).map(([name, schema]) => [
    typeNameOf(name),
    namedType(typeNameOf(name), schema),
  ]),
);

// Events of the gateway.
const events = frames.filter(({ from, schema }) => from === "gateway" && "const" in (schema.properties?.t ?? {}));
const eventFields = events.map(({ name, schema, summary, delivery }) => {
  const payload = schema.properties.d;
  if (payload.$ref !== undefined)
    return `  ${comment([summary, delivery].filter(Boolean).join(" "))}  ${name}: ${typeOf(payload)};\n`;
  const type = name.toLowerCase().replace(/(^|_)(.)/g, (_, _before, letter) => letter.toUpperCase());
  const typeName = name === "READY" ? "Ready" : name === "RESUMED" ? "Resumed" : `${type}Event`;
  types.set(typeName, namedType(typeName, { ...payload, description: `Payload of ${name}.` }));
  return `  ${comment([summary, delivery].filter(Boolean).join(" "))}  ${name}: ${typeName};\n`;
});
types.set(
  "DispatchEvents",
  `/** Payloads of the gateway's events by name. */\nexport interface DispatchEvents {\n${eventFields.join("")}}\n`,
);

// Events of webhooks: the message without the fields that events have beside it. A ping is no event of a server.
const beside = new Map([
  ["NewMessage", '"author" | "nonce" | "server_id"'],
  ["EditedMessage", '"author" | "server_id"'],
]);
const webhookTypes = new Map([["ping", ["{ webhook_id: string; server_name: string; message: string }"]]]);
for (const [name, { webhook }] of Object.entries(storedEvents)) {
  const payload = frames.find((frame) => frame.from === "gateway" && frame.name === name)?.schema.properties.d;
  if (webhook === undefined || payload === undefined) continue;
  const known = webhookTypes.get(webhook) ?? new Set();
  const type = typeOf(payload);
  webhookTypes.set(webhook, known.add(beside.has(type) ? `Omit<${type}, ${beside.get(type)}>` : type));
}
types.set(
  "WebhookEvents",
  `/** Payloads of webhooks by the name of the event. */\nexport interface WebhookEvents {\n${[...webhookTypes]
    .map(([name, known]) => `  ${JSON.stringify(name)}: ${[...known].join(" | ")};\n`)
    .join("")}}\n`,
);

// Methods of the REST API.
const groups = new Map();
const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const pascal = (name) => name.replace(/(^|\.)(.)/g, (_, _dot, letter) => letter.toUpperCase());
for (const [path, methods] of Object.entries(document.paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    if (operation.description?.startsWith("The same endpoint as ")) continue;
    for (const form of formsOf(operation)) {
      const name = form["x-client-method"];
      const [group, member] = name.split(".");
      if (!groups.has(group)) groups.set(group, []);
      groups.get(group).push(describeMethod({ name, member, method, path, operation: form }));
    }
  }
}

/** An operation that answers otherwise with a query is two methods: one without parameters, and one that has to have some. */
function formsOf(operation) {
  const named = operation["x-client-query-method"];
  if (named === undefined) return [operation];
  const [plain, queried] = operation.responses["200"].content["application/json"].schema.anyOf;
  const answering = (schema) => ({ ...operation.responses, 200: { content: { "application/json": { schema } } } });
  return [
    { ...operation, parameters: [], responses: answering(plain) },
    { ...operation, "x-client-method": named, responses: answering(queried) },
  ];
}

function describeMethod({ name, member, method, path, operation }) {
  const pathNames = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => camel(parameter));
  const address = path.replace(/\{(\w+)\}/g, (_, parameter) => `\${e(${camel(parameter)})}`);
  const parameters = pathNames.map((parameter) => ({ name: parameter, type: "string" }));
  const request = [`method: ${JSON.stringify(method.toUpperCase())}`, `path: \`${address}\``];
  const queryParameters = [];
  const query = operation.parameters?.filter((parameter) => parameter.in === "query") ?? [];
  if (query.length > 0) {
    const required = query.filter((parameter) => parameter.required).map((parameter) => parameter.name);
    const properties = Object.fromEntries(
      query.map((parameter) => [parameter.name, { description: parameter.description, ...parameter.schema }]),
    );
    const type = `${pascal(name)}Query`;
    types.set(type, namedType(type, { type: "object", properties, required, description: `Query of ${name}.` }));
    queryParameters.push({ name: required.length > 0 ? "query" : "query?", type });
    request.push("query");
  }
  const content = operation.requestBody?.content ?? {};
  const body = content["application/json"]?.schema;
  const hasForm = content["multipart/form-data"] !== undefined;
  if (body !== undefined) {
    const type = `${pascal(name)}Body`;
    types.set(type, namedType(type, { ...body, description: `Body of ${name}.` }));
    parameters.push({
      name: operation.requestBody.required ? "body" : "body?",
      type: hasForm ? `${type} | WithFiles<${type}>` : type,
    });
    request.push("body");
    if (body.properties?.nonce !== undefined) request.push("hasNonce: true");
  } else if (hasForm) {
    const fields = Object.keys(content["multipart/form-data"].schema.properties ?? {});
    operation = { ...operation, summary: `${operation.summary}; fields of the form: ${fields.join(", ")}` };
    parameters.push({ name: "form", type: "FormData" });
    request.push("form");
  }
  parameters.push(...queryParameters);
  if (/^\/(auth|hooks)\//.test(path) && operation.security?.length === 0) request.push("anonymous: true");
  if (operation.responses["429"] === undefined) request.push("unlimited: true");
  parameters.push({ name: "options?", type: hasForm ? "UploadOptions" : "RequestOptions" });
  request.push("options");
  const [kind, answer] = answerOf(operation);
  const names = parameters.map((parameter) => parameter.name.replace("?", ""));
  const signature = parameters.map((parameter) => `${parameter.name}: ${parameter.type}`).join(", ");
  return {
    declaration: `  ${comment(`${operation.summary}. \`${method.toUpperCase()} ${path}\``)}  ${member}(${signature}): Promise<${answer}>;\n`,
    implementation: `    ${member}: (${names.join(", ")}) => transport.${kind}({ ${request.join(", ")} }),\n`,
    member,
  };
}

function answerOf({ responses }) {
  const [, success] = Object.entries(responses).find(([status]) => /^[23]/.test(status));
  const [[type, { schema } = {}] = []] = Object.entries(success.content ?? {});
  if (type === undefined) return ["none", "void"];
  if (responses["204"] !== undefined && success !== responses["204"]) return ["jsonIfAny", `${typeOf(schema)} | null`];
  if (type === "application/json") return ["json", typeOf(schema)];
  if (/yaml|^text\//.test(type)) return ["text", "string"];
  return ["blob", "Blob"];
}

const header = "// Generated from the API's own description by generate.mjs.\n";
const folder = new URL("src/generated/", import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL("types.ts", folder), `${header}\n${[...types.values()].join("\n")}`);
const bits = Object.entries(permissionBits).map(([name, bit]) => `  ${comment(`Bit ${bit}.`)}  ${name}: ${bit},\n`);
writeFileSync(
  new URL("permission.ts", folder),
  `${header}
/** The permissions of roles and overrides, which are sums of these bits: \`Permission.KICK_MEMBERS | Permission.BAN_MEMBERS\`. */
export const Permission = {\n${bits.join("")}} as const;\n`,
);

// The formula of permissions, from where the server has it.
const formula = readFileSync(new URL("../permissions/src/resolve.ts", import.meta.url), "utf8");
const contracts = /^import \{ allPermissionBits, type PermissionName, permissionBits \} from "@parley\/contracts";\n/;
if (!contracts.test(formula)) throw new Error("packages/permissions/src/resolve.ts imports something else");
writeFileSync(
  new URL("permission-formula.ts", folder),
  `${header}import { Permission as permissionBits } from "./permission.js";

const allPermissionBits = ${allPermissionBits};
type PermissionName = keyof typeof permissionBits;
${formula.replace(contracts, "")}`,
);

const interfaces = [...groups].map(
  ([group, methods]) =>
    `/** Methods of \`client.${group}\`. */\nexport interface ${pascal(group)}Methods {\n${methods.map(({ declaration }) => declaration).join("")}}\n`,
);
const rests = [...groups.keys()].map(
  (group) => `  /** Methods of this resource. */\n  readonly ${group}: ${pascal(group)}Methods;\n`,
);
const factories = [...groups].map(
  ([group, methods]) => `  ${group}: {\n${methods.map(({ implementation }) => implementation).join("")}  },\n`,
);
const declared = interfaces.join("\n");
const imported = [...types.keys()].filter((name) => new RegExp(`\\b${name}\\b`).test(declared)).sort();
writeFileSync(
  new URL("rest.ts", folder),
  `${header}import { pathPart } from "../address.js";
import type { RequestOptions, UploadOptions, WithFiles } from "../request.js";
import type { Transport } from "../transport.js";
import type {\n${imported.map((name) => `  ${name},\n`).join("")}} from "./types.js";

${declared}
/** The REST API: one method for every operation. */
export interface Rest {
${rests.join("")}}

const e = pathPart;

/** The methods, which send through a transport. */
export const createRest = (transport: Transport): Rest => ({
${factories.join("")}});
`,
);
writeFileSync(
  new URL("index.ts", folder),
  `${header}export type {\n${[...groups.keys()].map((group) => `  ${pascal(group)}Methods,\n`).join("")}  Rest,\n} from "./rest.js";
export type {\n${[...types.keys()]
    .sort()
    .map((name) => `  ${name},\n`)
    .join("")}} from "./types.js";\n`,
);
process.stdout.write(`${[...groups.values()].flat().length} operations, ${events.length} events\n`);
