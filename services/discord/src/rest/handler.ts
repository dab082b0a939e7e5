import { STATUS_CODES } from "node:http";
import type { Accounts } from "@parley/auth";
import type { MissingRoutes } from "@parley/redis";
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from "express";
import { writeJson } from "../json.js";
import { jsonBytesMax } from "../limits.js";
import type { Api, ApiConnections } from "./api.js";
import type { BotLimit } from "./bot-limit.js";
import { forwardedFor, originOf } from "./caller.js";
import { DiscordError, discordError, unauthorized } from "./errors.js";
import { readBytes, readJson } from "./forms.js";
import { bucketOf, globalLimit, limitHeaders } from "./rate-limits.js";
import { Answer, type BotCall, lookUp, PlainText, type Route, type Surroundings } from "./route.js";
import { type Bot, findBot } from "./token.js";

/** Where Discord's REST API is served (docs/discord.md#addresses). */
const bases = ["/discord/api", "/discord/api/v9", "/discord/api/v10"];

/** The parts of the REST API. */
export interface RestOptions extends Surroundings {
  readonly routes: readonly Route[];
  readonly connections: ApiConnections;
  readonly accounts: Pick<Accounts, "findBotByToken">;
  /** Answers addresses that are no routes of the API, such as the page for authors; false for any other address. */
  readonly servePage: (request: Request, response: Response, surroundings: Surroundings) => Promise<boolean>;
  readonly missing: Pick<MissingRoutes, "record">;
  readonly limit: BotLimit;
  /** Counts an answer; `path` is that of the route, or `unknown`. */
  readonly count: (method: string, path: string, status: number) => void;
}

/** Discord's REST API as a handler of Express. */
export function createRest(options: RestOptions): Express {
  const app = express();
  app.disable("x-powered-by").disable("etag");
  const router = express.Router({ caseSensitive: true, strict: false });
  const json = express.text({ type: () => true, limit: jsonBytesMax, defaultCharset: "utf-8" });
  for (const route of options.routes) {
    const handlers = [
      ...(route.takesFiles || isLarge(route) ? [] : [json]),
      (request: Request, response: Response) => serve(route, request, response),
    ];
    router[route.method.toLowerCase() as "get"](route.path, ...handlers);
  }
  for (const base of bases.toReversed()) app.use(base, router);
  app.use(async (request: Request, response: Response) => {
    if (await options.servePage(request, response, options)) return;
    options.count(request.method, "unknown", 404);
    send(response, 404, discordError(0).body);
    await noteMissing(request).catch((err: unknown) => options.logger.warn({ err }, "a missing route was not noted"));
  });
  // Answers requests that Express or the reader of bodies refuses before a route gets them.
  app.use(((error: unknown, request, response, _next) => {
    const refusal = asDiscordError(error, options);
    options.count(request.method, "unknown", refusal.status);
    send(response, refusal.status, refusal.body);
  }) satisfies ErrorRequestHandler);

  async function serve(route: Route, request: Request, response: Response): Promise<void> {
    const state: Asked = {};
    try {
      const outcome = await answerTo(route, request, state);
      const answer = outcome instanceof Answer ? outcome : new Answer(outcome === undefined ? 204 : 200, outcome);
      await finish(route, response, answer.status, answer.body, state);
    } catch (error) {
      const refusal = asDiscordError(error, options);
      response.set(refusal.headers);
      await finish(route, response, refusal.status, refusal.body, state);
    }
  }

  async function finish(route: Route, response: Response, status: number, body: unknown, asked: Asked): Promise<void> {
    const { bot, api } = asked;
    const quota = bot && api ? await options.limit(bot.userId, api.quota()) : null;
    if (quota !== null) response.set(limitHeaders(quota, bucketOf(route.method, route.path), Date.now()));
    const refusal = quota?.isExceeded ? globalLimit() : null;
    if (refusal !== null) response.set(refusal.headers);
    const [shownStatus, shownBody] = refusal === null ? [status, body] : [refusal.status, refusal.body];
    options.count(route.method, route.path, shownStatus);
    send(response, shownStatus, shownBody);
  }

  async function answerTo(route: Route, request: Request, state: Asked): Promise<unknown> {
    const bot = route.needsToken ? await botOf(request) : null;
    if (bot !== null) state.bot = bot;
    const api = options.connections.of(bot === null ? null : `Bot ${bot.token}`, forwardedFor(request));
    state.api = api;
    const call = {
      ...options,
      request,
      params: request.params as Record<string, string>,
      query: new URL(request.originalUrl, "http://local").searchParams,
      body: route.takesFiles ? {} : readJson(isLarge(route) ? await largeText(request, route) : (request.body ?? "")),
      reason: reasonOf(request),
      api,
      origin: originOf(request, options.publicUrl),
      id: lookUp(options.database),
      // Routes without a token are declared with a handler that has no bot.
      bot: bot as Bot,
    } satisfies BotCall;
    return route.answer(call);
  }

  /** For the log of the service, and for that of the bot which its owner reads. */
  async function noteMissing(request: Request): Promise<void> {
    const [, path] = /^\/discord\/api(?:\/v\d+)?(\/[^?]*)/.exec(request.originalUrl) ?? [];
    if (path === undefined || request.get("authorization") === undefined) return;
    const { botId } = await botOf(request).catch(() => ({ botId: null }));
    const route = `${request.method} ${path}`;
    if (botId !== null && (await options.missing.record(botId, route)))
      options.logger.info({ botId, route }, "a bot asked for a route that is not served");
  }

  async function botOf(request: Request): Promise<Bot> {
    const [, token] = /^Bot\s+(.+)$/i.exec(request.get("authorization") ?? "") ?? [];
    if (token === undefined) throw unauthorized();
    return findBot(options.accounts, token);
  }

  return app;
}

/** The bot of a request, and its calls of the api, as far as the request has come. */
interface Asked {
  bot?: Bot;
  api?: Api;
}

/** A large body is read once its bot is known, and counted among those that wait in memory. */
const isLarge = ({ bodyBytesMax }: Route) => bodyBytesMax > jsonBytesMax;
const largeText = async (request: Request, { bodyBytesMax }: Route) =>
  (await readBytes(request, bodyBytesMax)).toString("utf8");

/** Two libraries read JSON only where the content type has no parameter (docs/discord.md#rules). */
function send(response: Response, status: number, body: unknown): void {
  if (response.headersSent) return;
  response.statusCode = status;
  if (body === undefined) {
    response.end();
    return;
  }
  const isText = body instanceof PlainText;
  response.setHeader("Content-Type", isText ? "text/plain" : "application/json");
  response.end(isText ? body.text : writeJson(body));
}

function reasonOf(request: Request): string | null {
  const header = request.get("x-audit-log-reason");
  if (header === undefined) return null;
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}

function asDiscordError(error: unknown, { logger }: Pick<RestOptions, "logger">): DiscordError {
  if (error instanceof DiscordError) return error;
  const { status = 500 } = (error ?? {}) as { status?: number };
  if (status === 413) return discordError(40005);
  if (status >= 400 && status < 500) return new DiscordError(status, 0, `${status}: ${STATUS_CODES[status] ?? ""}`);
  logger.error({ err: error }, "a request failed");
  return new DiscordError(500, 0, "500: Internal Server Error");
}
