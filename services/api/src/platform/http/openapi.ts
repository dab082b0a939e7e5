import { OpenAPIRegistry, OpenApiGeneratorV3, type RouteConfig } from "@asteasolutions/zod-to-openapi";
import { ErrorBody, Poll, ScheduledEvent } from "@parley/contracts";
import { z } from "zod";
import { jsonBodyBytesMax } from "./limits.js";
import { BotRateLimitError, describeAnswers, type LimitsDescribed, registerAnswers } from "./openapi-answers.js";
import { orderedTags, tagOf } from "./openapi-tags.js";
import { operationId } from "./operation-id.js";
import { causesOf, type Route } from "./route.js";

/** The routes of the API: without credentials and limits, and everything else. */
export interface DescribedRoutes {
  openRoutes: readonly Route[];
  routes: readonly Route[];
}

type Document = ReturnType<OpenApiGeneratorV3["generateDocument"]>;

/** The API description as an object, generated from the declarations of the routes (docs/protocol/operators.md#15). */
export function describeApi({ openRoutes, routes }: DescribedRoutes, version: string): Document {
  const registry = new OpenAPIRegistry();
  registry.registerComponent("securitySchemes", "user", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "Access token of POST /auth/login, or a bot's JWT of POST /bots/connect.",
  });
  registry.registerComponent("securitySchemes", "bot", {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description: "`Bot <BOT_TOKEN>`, the static token of a bot.",
  });
  registerAnswers(registry);
  const sameShape = new Map<string, string>();
  for (const route of [...openRoutes, ...routes]) {
    for (const path of [route.declaration.path, ...(route.declaration.aliases ?? [])]) {
      registry.registerPath(operation(route, { path, sameShape, limits: limitsOf(route, routes.includes(route)) }));
    }
  }
  // Registered first: a schema that first occurs in a nullable place would be nullable everywhere.
  const schemas = [ErrorBody, BotRateLimitError, Poll, ScheduledEvent].map((schema) => ({
    type: "schema" as const,
    schema,
  }));
  const document = new OpenApiGeneratorV3([...schemas, ...registry.definitions]).generateDocument({
    openapi: "3.0.3",
    info: {
      title: "Parley",
      version,
      license: { name: "Unlicensed", url: "https://choosealicense.com/no-permission/" },
      description:
        "REST interface of the community chat service. Every path is served with the prefix `/api` as well. " +
        "The gateway for real-time events is a WebSocket at `/ws`.",
    },
    servers: [{ url: "/api" }, { url: "/" }],
    tags: orderedTags([...openRoutes, ...routes].map(({ declaration }) => declaration)),
  });
  return z.custom<Document>().parse(withTypedNullables(document));
}

const json = "application/json";

interface Place {
  path: string;
  /**
   * Paths described so far by their shape: two that differ in names of parameters only are one path of the document.
   */
  sameShape: Map<string, string>;
  limits: LimitsDescribed;
}

function limitsOf({ declaration: { unlimited } }: Route, isCounted: boolean): LimitsDescribed {
  if (!isCounted || unlimited === true) return "never";
  return unlimited === undefined ? "always" : "sometimes";
}

function operation(route: Route, { path, sameShape, limits }: Place): RouteConfig {
  const { declaration } = route;
  const shape = path.replace(/:\w+/g, ":");
  const body = declaration.describedBody ?? declaration.body;
  const described = sameShape.get(shape) ?? path;
  sameShape.set(shape, described);
  const alias = path !== declaration.path;
  return {
    method: declaration.method,
    path: described.replace(/:(\w+)/g, "{$1}"),
    operationId: operationId(declaration.method, path),
    tags: [tagOf(declaration)],
    "x-client-method": declaration.name,
    ...(declaration.queryName === undefined ? {} : { "x-client-query-method": declaration.queryName }),
    summary: declaration.summary,
    ...(alias
      ? { description: `The same endpoint as \`${declaration.path}\`.` }
      : declaration.description === undefined
        ? {}
        : { description: declaration.description }),
    ...security(route),
    ...(declaration.right === undefined ? {} : { "x-right": declaration.right }),
    ...(declaration.method === "get" && declaration.causes === undefined ? {} : { "x-events": causesOf(declaration) }),
    ...(body === undefined ? {} : { "x-body-bytes": bodyBytesOf(declaration) }),
    ...(declaration.attempts === undefined ? {} : { "x-attempts": declaration.attempts }),
    request: {
      params: pathParams(route, { path, described }),
      ...(declaration.query === undefined ? {} : { query: describable(declaration.query) }),
      ...(body === undefined
        ? {}
        : {
            body: {
              required: !body.safeParse({}).success,
              content: {
                [declaration.bodyContentType ?? json]: { schema: body },
                ...(declaration.form === undefined ? {} : { "multipart/form-data": { schema: declaration.form } }),
              },
            },
          }),
    },
    responses: describeAnswers(route.declaration, { hasParams: path.includes(":"), limits }),
  };
}

/** Most bytes of a body by its media type. @throws Error where a form has no bound */
function bodyBytesOf({ path, form, bodyContentType: type = json, bodyBytes = {} }: Route["declaration"]) {
  const types = form === undefined ? [type] : [type, "multipart/form-data"];
  const bounds: Readonly<Record<string, number>> = {
    ...(type === json ? { [json]: jsonBodyBytesMax } : {}),
    ...bodyBytes,
  };
  for (const one of types) if (bounds[one] === undefined) throw new Error(`${path}: a body of ${one} has no bound`);
  return bounds;
}

/** Schemas of the parameters in the path, under the names that the document has for them. */
function pathParams(route: Route, { path, described }: { path: string; described: string }) {
  const { params } = route.declaration;
  if (params === undefined) return undefined;
  const names = namesOf(described);
  const schemas = namesOf(path).map((name, index) => [names[index] ?? name, params.shape[name]] as const);
  return z.object(Object.fromEntries(schemas)).required();
}

function namesOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? []);
}

/** The generator does not support `catch`; the values that it replaces are not described. */
function describable(query: z.ZodObject): z.ZodObject {
  const forgiving = Object.entries(query.shape).flatMap(([name, field]) =>
    field instanceof z.ZodCatch ? [[name, field.unwrap()] as const] : [],
  );
  return query.extend(Object.fromEntries(forgiving));
}

function security(route: Route): Pick<RouteConfig, "security"> {
  switch (route.declaration.caller) {
    case "anyone":
      return { security: [] };
    case "account":
    case "any bot":
      return { security: [{ user: [] }, { bot: [] }] };
    case "user":
    case "bot owner":
    case "app user":
    case "admin":
      return { security: [{ user: [] }] };
    case "bot":
      return { security: [{ bot: [] }] };
  }
}

/**
 * In OpenAPI 3.0 `nullable` only widens the type beside it. The generator writes it without one: in a nullable
 * reference,
 * `allOf: [reference, { nullable: true }]`, which null does not satisfy, and for a value of any type.
 */
function withTypedNullables(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withTypedNullables);
  if (typeof node !== "object" || node === null) return node;
  const { allOf, ...rest } = Object.fromEntries(Object.entries(node));
  if (Array.isArray(allOf) && allOf.some((part) => part.nullable === true)) {
    const references = allOf.filter((part) => part.nullable !== true);
    return { ...rest, anyOf: [...references, { type: "object", nullable: true, enum: [null] }] };
  }
  const { nullable, ...untyped } = Object.fromEntries(Object.entries(node));
  const kept = nullable === true && untyped.type === undefined ? untyped : node;
  return Object.fromEntries(Object.entries(kept).map(([key, value]) => [key, withTypedNullables(value)]));
}
