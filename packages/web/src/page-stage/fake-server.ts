import { errorBody } from "@parley/contracts";
import type { FakeEndpoint } from "@parley/testing/fake-server-check";
import { createGate } from "./gate.js";

/** A request of the page, as the fake server got it. */
export interface PageRequest<Body = unknown> {
  readonly method: string;
  /** Below `/api`, without the query. */
  readonly path: string;
  /** The parts of the path that the address of the answer has as `:name`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** The JSON; null without one. */
  readonly body: Body;
  /** The form; null without one. */
  readonly form: FormData | null;
}

/**
 * Answers a request: a value that is sent as JSON, undefined for an empty answer, or the result of {@link refuse} and
 * {@link answer}.
 */
export type AnswerTo<Body> = (request: PageRequest<Body>) => unknown;

/** An answer with a status that is not the endpoint's usual one, or with headers. */
export class SpecialAnswer {
  constructor(
    readonly status: number,
    readonly body: unknown,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** An answer with a status of its own. */
export const answer = (status: number, body?: unknown, headers?: Readonly<Record<string, string>>): SpecialAnswer =>
  new SpecialAnswer(status, body, headers);

/** An error answer, by one of the texts of `errorTexts`. */
export const refuse = (status: number, text: string): SpecialAnswer => answer(status, errorBody(text));

/** `fetch` without a network. */
export const noNetwork = (): never => {
  throw new TypeError("Failed to fetch");
};

interface Rule {
  readonly method: string;
  readonly pattern: RegExp;
  /** By which addresses sort: a parameter comes behind every literal part. */
  readonly shape: string;
  readonly status: number;
  readonly give: AnswerTo<never>;
}

/** The answers and events to the page, and the faults meanwhile. */
export interface Protocol {
  readonly answers: {
    method: string;
    path: string;
    status: number;
    headers: Record<string, string>;
    body?: string;
  }[];
  readonly frames: string[];
  readonly failures: string[];
}

/** Answers the requests of the page. */
export interface FakeServer {
  /**
   * Answers an endpoint from now on; a later answer for the same address replaces it.
   *
   * @param address such as `POST /servers/:id/roles`
   * @throws for an address that the API description does not have
   */
  on<Body = unknown>(address: string, give: AnswerTo<Body>): void;
  /** The same, but the page has the answers only once they are released. */
  hold<Body = unknown>(address: string, give: AnswerTo<Body>): Held;
  /** The requests so far for an address, in their order. */
  requests<Body = unknown>(address: string): readonly PageRequest<Body>[];
  /** Requests that are neither answered nor held. */
  readonly underWay: number;
  /** How many requests there were. */
  readonly count: number;
}

/** Answers that wait. */
export interface Held {
  /** Resolves when the first request is there. */
  readonly asked: Promise<void>;
  /** Gives the answers, those of later requests too. */
  release(): void;
}

const commonHeaders = {
  "x-request-id": "0190a5b4-7c1d-7e3a-9f00-00000000feed",
  "x-ratelimit-limit": "1000",
  "x-ratelimit-remaining": "999",
  "x-ratelimit-reset": "60",
};

/** Makes the server of one test, and the `fetch` that leads to it. */
export function createFakeServer(endpoints: readonly FakeEndpoint[], protocol: Protocol) {
  const rules: Rule[] = [];
  const seen: PageRequest<never>[] = [];
  let underWay = 0;

  const describedStatus = (address: string): number => {
    const [method = "", path = ""] = address.split(" ");
    const shape = shapeOf(path);
    const found = endpoints.find((endpoint) => endpoint.method === method && shapeOf(endpoint.path) === shape);
    if (found === undefined) throw new Error(`The API description has no ${address}.`);
    return found.status;
  };

  const add = (address: string, give: AnswerTo<never>) => {
    const [method = "", path = ""] = address.split(" ");
    const shape = path.replace(/[^/]+/g, (part) => (part.startsWith(":") ? "1" : "0"));
    rules.unshift({ method, pattern: patternOf(path), shape, status: describedStatus(address), give });
  };

  const answerTo = async (request: PageRequest<never>): Promise<Response> => {
    const { method, path } = request;
    const rule = rules
      .filter((candidate) => candidate.method === method && candidate.pattern.test(path))
      // Literal parts win over parameters, as in the server; of the same address the answer that was given last.
      .sort((a, b) => a.shape.localeCompare(b.shape))[0];
    if (rule === undefined) {
      protocol.failures.push(`No answer for ${method} ${path}`);
      return new Response(JSON.stringify(errorBody("No answer")), { status: 500 });
    }
    const params = rule.pattern.exec(path)?.groups ?? {};
    const given = await rule.give({ ...request, params });
    const special = given instanceof SpecialAnswer ? given : new SpecialAnswer(rule.status, given);
    const body = special.body === undefined ? undefined : JSON.stringify(special.body);
    const headers = {
      ...commonHeaders,
      ...(body === undefined ? {} : { "content-type": "application/json; charset=utf-8" }),
      ...special.headers,
    };
    const query = request.query.size === 0 ? "" : `?${request.query}`;
    const sent = { method, path: `/api${path}${query}`, status: special.status, headers };
    // A broken server gives answers that no description promises.
    if (special.status !== 500) protocol.answers.push(body === undefined ? sent : { ...sent, body });
    return new Response(body ?? null, { status: special.status, headers });
  };

  const server: FakeServer = {
    on: add,
    hold(address, give) {
      const asked = createGate();
      const released = createGate();
      add(address, async (request) => {
        const given = await give(request);
        asked.open();
        // A held answer is not under way: the page is settled without it.
        underWay -= 1;
        await released.opened;
        underWay += 1;
        return given;
      });
      return { asked: asked.opened, release: released.open };
    },
    requests(address) {
      const [method = "", path = ""] = address.split(" ");
      const pattern = patternOf(path);
      describedStatus(address);
      return seen.filter((request) => request.method === method && pattern.test(request.path));
    },
    get underWay() {
      return underWay;
    },
    get count() {
      return seen.length;
    },
  };

  return {
    server,
    /** The page's `fetch` for the addresses of the API. */
    async fetch(request: Request): Promise<Response> {
      const url = new URL(request.url);
      underWay += 1;
      try {
        const received: PageRequest<never> = {
          method: request.method,
          path: url.pathname.slice("/api".length),
          params: {},
          query: url.searchParams,
          headers: request.headers,
          ...(await contentOf<never>(request)),
        };
        seen.push(received);
        return await untilAborted(answerTo(received), request.signal);
      } finally {
        underWay -= 1;
      }
    },
  };
}

async function contentOf<Body>(request: Request): Promise<Pick<PageRequest<Body>, "body" | "form">> {
  const type = request.headers.get("content-type") ?? "";
  const form = type.startsWith("multipart/") ? await request.formData() : null;
  const text = form === null ? await request.text() : "";
  return { form, body: JSON.parse(text === "" ? "null" : text) };
}

function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    work.then(resolve, reject);
  });
}

const shapeOf = (path: string): string => path.replace(/\{[^}]*\}|:[^/]+/g, ":");

function patternOf(path: string): RegExp {
  const source = path.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/:([^/]+)/g, "(?<$1>[^/]+)");
  return new RegExp(`^${source}$`);
}
