import { OpenAPIRegistry, OpenApiGeneratorV3, type RouteConfig } from "@asteasolutions/zod-to-openapi";
import { ErrorBody, type ErrorCode, errorTexts } from "@parley/contracts";
import { stringify } from "yaml";
import { z } from "zod";
import { statusOf } from "./error-mapping.js";
import type { Route } from "./route.js";

/** The API description as an object, generated from the declarations of the routes (contract.md 15). */
export function describeApi(
  routes: readonly Route[],
  version: string,
): ReturnType<OpenApiGeneratorV3["generateDocument"]> {
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
  for (const route of routes) {
    for (const path of [route.declaration.path, ...(route.declaration.aliases ?? [])]) {
      registry.registerPath(operation(route, path));
    }
  }
  return new OpenApiGeneratorV3(registry.definitions).generateDocument({
    openapi: "3.0.3",
    info: {
      title: "Parley",
      version,
      description:
        "REST interface of the community chat service. Every path is served with the prefix `/api` as well. " +
        "The gateway for real-time events is a WebSocket at `/ws`.",
    },
    servers: [{ url: "/api" }, { url: "/" }],
    tags: [...new Set(routes.map((route) => route.declaration.tag))].map((name) => ({ name })),
  });
}

/** The API description as YAML text. */
export function describeApiAsYaml(routes: readonly Route[], version: string): string {
  return stringify(describeApi(routes, version), { aliasDuplicateObjects: false });
}

function operation(route: Route, path: string): RouteConfig {
  const { declaration } = route;
  const alias = path !== declaration.path;
  return {
    method: declaration.method,
    path: path.replace(/:(\w+)/g, "{$1}"),
    operationId: operationId(declaration.method, path),
    tags: [declaration.tag],
    summary: declaration.summary,
    ...(alias
      ? { description: `The same endpoint as \`${declaration.path}\`.` }
      : declaration.description === undefined
        ? {}
        : { description: declaration.description }),
    ...security(route),
    request: {
      params: pathParams(route, path),
      ...(declaration.query === undefined ? {} : { query: declaration.query }),
      ...(declaration.body === undefined
        ? {}
        : {
            body: {
              required: !declaration.body.safeParse({}).success,
              content: { [declaration.bodyContentType ?? "application/json"]: { schema: declaration.body } },
            },
          }),
    },
    responses: responses(route, path),
  };
}

function pathParams(route: Route, path: string) {
  const { params } = route.declaration;
  if (params === undefined) return undefined;
  const named = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name));
  return z.object(Object.fromEntries(Object.entries(params.shape).filter(([name]) => named.has(name)))).required();
}

function security(route: Route): Pick<RouteConfig, "security"> {
  switch (route.declaration.caller) {
    case "anyone":
      return { security: [] };
    case "account":
      return { security: [{ user: [] }, { bot: [] }] };
    case "user":
      return { security: [{ user: [] }] };
    case "bot":
      return { security: [{ bot: [] }] };
  }
}

/** Statuses that every route of a kind can answer, with the texts of contract.md 1.4. */
function commonErrors(route: Route, path: string): [ErrorCode, readonly string[]][] {
  const { caller, params, query, body, bodyContentType } = route.declaration;
  const common: [ErrorCode, readonly string[]][] = [["rate_limited", [errorTexts.tooManyRequests]]];
  if (caller !== "anyone") common.push(["unauthenticated", [errorTexts.invalidToken, errorTexts.invalidBotToken]]);
  if (caller === "user") common.push(["forbidden", ["Bots cannot access bot management endpoints"]]);
  if (params !== undefined && path.includes(":")) common.push(["invalid_input", [errorTexts.invalidIdentifier]]);
  if (query !== undefined) common.push(["invalid_input", ["Invalid query parameter"]]);
  if (body !== undefined && bodyContentType === undefined) common.push(["invalid_input", ["Malformed JSON"]]);
  return common;
}

function responses(route: Route, path: string): RouteConfig["responses"] {
  const { success, otherAnswers = [], errors } = route.declaration;
  const described: RouteConfig["responses"] = {};
  for (const answer of [success, ...otherAnswers]) {
    described[answer.status] = {
      description: answer.description,
      ...(answer.schema === undefined
        ? {}
        : { content: { [answer.contentType ?? "application/json"]: { schema: answer.schema } } }),
    };
  }
  const texts = new Map<number, Set<string>>();
  for (const [code, messages] of [...commonErrors(route, path), ...declaredErrors(errors)]) {
    const status = statusOf[code];
    const known = texts.get(status) ?? new Set<string>();
    for (const message of messages) known.add(message);
    texts.set(status, known);
  }
  for (const [status, messages] of [...texts].sort(([a], [b]) => a - b)) {
    described[status] = {
      description: [...messages].map((message) => `\`${message}\``).join(" · "),
      content: { "application/json": { schema: ErrorBody } },
    };
  }
  return described;
}

function declaredErrors(errors: Route["declaration"]["errors"]): [ErrorCode, readonly string[]][] {
  return Object.keys(statusOf).flatMap((code): [ErrorCode, readonly string[]][] => {
    if (!isErrorCode(code)) return [];
    const messages = errors?.[code];
    return messages === undefined ? [] : [[code, messages]];
  });
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(statusOf, code);
}

function operationId(method: string, path: string): string {
  const words = path
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment) => (segment.startsWith(":") ? `by-${segment.slice(1)}` : segment.replace("@", "")));
  return [method, ...words].join("-").replaceAll("_", "-");
}
