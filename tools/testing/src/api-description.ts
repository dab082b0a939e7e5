import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCodeOf } from "@parley/contracts";
import { Ajv, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import { parse } from "yaml";
import { z } from "zod";
import { closed } from "./closed-schema.js";
import { runContext } from "./run-context.js";

const Reference = z.object({ $ref: z.string() });
const Schema = z.record(z.string(), z.unknown());
const Response = z.object({
  description: z.string().optional(),
  headers: z.record(z.string(), z.unknown()).default({}),
  content: z.record(z.string(), z.object({ schema: Schema })).optional(),
});
const Parameter = z.object({ name: z.string(), in: z.enum(["path", "query"]), required: z.boolean().optional() });
const Operation = z.object({
  operationId: z.string(),
  description: z.string().optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(Parameter).default([]),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema: Schema })) }).optional(),
  responses: z.record(z.string(), z.union([Reference, Response])),
  "x-client-method": z.string(),
  "x-attempts": z.record(z.string(), z.string()).optional(),
  "x-right": z.string().optional(),
});
const Description = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), Schema), responses: z.record(z.string(), Response) }),
});
/** The OpenAPI document that an api serves, as far as tests read it. */
export type Description = z.infer<typeof Description>;

/** An endpoint of the document. */
export interface DescribedOperation extends z.infer<typeof Operation> {
  readonly method: string;
  /** With parameters as `{name}`. */
  readonly path: string;
}

/** An answer as it came. */
export interface ObservedAnswer {
  readonly method: string;
  /** As requested, with prefix and query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Compares answers with the API description. */
export interface AnswerCheck {
  readonly operations: readonly DescribedOperation[];
  /** Throws when the endpoint, the status, a header or the shape of the body is not described. */
  readonly check: (answer: ObservedAnswer) => void;
}

/** The file of a run's folder with the document of the services under test; they all are of one build. */
export const descriptionFile = "openapi.json";
/** The file that collects the seen statuses of the endpoints. */
export const answersFile = "answers.txt";

let current: Promise<AnswerCheck> | undefined;

/** The check of this process, from the document that the first api asked serves. */
export function loadAnswerCheck(baseUrl: string): Promise<AnswerCheck> {
  current ??= readDescription(baseUrl).then((description) => createAnswerCheck(description, note));
  current.catch(() => {
    current = undefined;
  });
  return current;
}

async function readDescription(baseUrl: string): Promise<Description> {
  const file = join(runContext().folder, descriptionFile);
  if (!existsSync(file)) {
    const response = await fetch(`${baseUrl}/docs/openapi.yaml`);
    if (!response.ok) throw new Error(`The API description was answered with ${response.status}.`);
    // Other workers read the file as soon as it is there.
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(parse(await response.text())));
    renameSync(draft, file);
  }
  return parseDescription(readFileSync(file, "utf8"));
}

/** A document from its JSON. */
export const parseDescription = (json: string): Description => Description.parse(JSON.parse(json));

/** Endpoints of the document. */
export function listOperations({ paths }: Description): DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

/**
 * The check of one document.
 *
 * @param onSeen is called with each status of each endpoint once, as `operationId status`
 */
export function createAnswerCheck(
  description: Description,
  onSeen: (line: string) => void = () => undefined,
): AnswerCheck {
  const operations = listOperations(description);
  const ajv = new Ajv({ strict: false });
  formats.default(ajv);
  ajv.addSchema({ $id: "api", components: { schemas: closed(description.components.schemas) } });
  const validators = new Map<string, ValidateFunction>();
  const seen = new Set<string>();

  const resolve = (response: z.infer<typeof Reference | typeof Response>) =>
    "$ref" in response
      ? (description.components.responses[response.$ref.slice("#/components/responses/".length)] ?? null)
      : response;

  const validatorOf = (key: string, schema: unknown): ValidateFunction => {
    const known = validators.get(key);
    if (known !== undefined) return known;
    const validate = ajv.compile(z.record(z.string(), z.unknown()).parse(closed(schema)));
    validators.set(key, validate);
    return validate;
  };

  return {
    operations,
    check(answer) {
      const { method, status, headers, body } = answer;
      const title = `${method} ${answer.path} answered ${status}`;
      const path = canonical(answer.path);
      if (method === "OPTIONS" || isPage(path)) return;
      const operation = findOperation(operations, method === "HEAD" ? "GET" : method, path);
      if (operation === undefined) {
        if (status === 404 || status === 429) return;
        throw new Error(`${title}, but the API description has no such endpoint.`);
      }
      const declared = operation.responses[status] ?? (status === 503 ? operation.responses.default : undefined);
      const response = declared === undefined ? null : resolve(declared);
      if (response === null) throw new Error(`${title}, which the API description does not say: ${brief(body)}`);
      for (const name of Object.keys(response.headers)) {
        if (name !== "Retry-After" && !headers.has(name)) throw new Error(`${title} without ${name}.`);
      }
      if (method === "HEAD") return;
      const key = `${operation.operationId} ${status}`;
      if (!seen.has(key)) onSeen(key);
      seen.add(key);
      checkBody(title, { response, body, headers, validatorOf, key });
    },
  };
}

/** Pages for people are no part of the API. */
function isPage(path: string): boolean {
  const pages = ["/docs", "/docs/rest", "/docs/bots", "/docs/client", "/docs/interface", "/docs/protocol"];
  const folders = ["/docs/assets/", "/docs/protocol/", "/docs/reference/"];
  return [...pages, "/docs/parley-client.tgz"].includes(path) || folders.some((folder) => path.startsWith(folder));
}

function checkBody(
  title: string,
  answer: {
    response: z.infer<typeof Response>;
    body: unknown;
    headers: Headers;
    validatorOf: (key: string, schema: unknown) => ValidateFunction;
    key: string;
  },
): void {
  const { response, body, headers, validatorOf, key } = answer;
  if (response.content === undefined) {
    if (body !== undefined) throw new Error(`${title} with a body that is not described: ${brief(body)}`);
    return;
  }
  const schema = response.content["application/json"]?.schema;
  if (schema === undefined) return;
  const type = headers.get("content-type");
  const [media = ""] = (type ?? "").split(";");
  if (media !== "application/json" && media in response.content) return;
  if (type !== "application/json; charset=utf-8") throw new Error(`${title} as ${type}.`);
  const validate = validatorOf(key, schema);
  if (!validate(body)) throw new Error(`${title} with ${brief(body)}: ${JSON.stringify(validate.errors)}`);
  const error = z.object({ error: z.string(), message: z.string(), code: z.string() }).safeParse(body).data;
  if (error === undefined) return;
  if (error.error !== error.message) throw new Error(`${title} with two texts: ${brief(body)}`);
  // A server's own words for a refusal by its rules.
  if (error.code !== errorCodeOf(error.error) && error.code !== "message_blocked_by_rule")
    throw new Error(`${title} with the code of another text: ${brief(body)}`);
}

/** Which statuses were seen is of interest for the whole run; see the global setup. */
function note(line: string): void {
  appendFileSync(join(runContext().folder, answersFile), `${line}\n`);
}

/** Without prefix, query, trailing slash and needless encoding (docs/protocol/requests.md#1.1). */
function canonical(path: string): string {
  const [bare = ""] = path.split("?");
  const plain = bare.replace(/%(?:[46][1-9a-f]|[57][0-9a]|40)/gi, (code) => decodeURIComponent(code));
  const unprefixed = plain.startsWith("/api/") ? plain.slice("/api".length) : plain;
  return unprefixed.length > 1 && unprefixed.endsWith("/") ? unprefixed.slice(0, -1) : unprefixed;
}

function findOperation(operations: readonly DescribedOperation[], method: string, path: string) {
  const segments = path.split("/");
  return operations
    .filter((operation) => operation.method === method && matches(operation.path.split("/"), segments))
    .sort((a, b) => parameterPositions(a.path).localeCompare(parameterPositions(b.path)))[0];
}

function matches(template: readonly string[], segments: readonly string[]): boolean {
  if (template.length !== segments.length) return false;
  return template.every((part, index) => (part.startsWith("{") ? segments[index] !== "" : part === segments[index]));
}

/** Literal segments win over parameters, from the left. */
function parameterPositions(path: string): string {
  return path
    .split("/")
    .map((part) => (part.startsWith("{") ? "1" : "0"))
    .join("");
}

function brief(body: unknown): string {
  return JSON.stringify(body)?.slice(0, 500) ?? "nothing";
}
