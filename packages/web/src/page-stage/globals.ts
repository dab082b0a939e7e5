import type { FakeEndpoint } from "@parley/testing/fake-server-check";
import { createFakeServer, type FakeServer, type Protocol, refuse, type SpecialAnswer } from "./fake-server.js";
import { createFakeSocket, type FakeConnection, type OnConnection, type PresenceOf } from "./fake-socket.js";

// The page's `fetch` and `WebSocket` lead to the server of the running test.

/** The server of one test. */
export interface PageGlobals {
  readonly server: FakeServer;
  readonly connections: FakeConnection[];
  readonly protocol: Protocol;
  /** The gateway's answer to a plain request, by which a client finds out why it has no connection. */
  readonly gateway: { refusal: SpecialAnswer; isShut: boolean };
  /** Requests of the page without a session belong to no test from now on: they get no answer. */
  readonly end: () => void;
}

interface Current extends PageGlobals {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly onConnection: OnConnection;
  readonly presenceOf: PresenceOf;
}

const real = { fetch: globalThis.fetch, WebSocket: globalThis.WebSocket };
let endpoints: readonly FakeEndpoint[] = [];
let current: Current | null = null;
let last: Protocol | null = null;

/** Replaces the globals; to be called once, before the application is imported. */
export function replaceGlobals(described: readonly FakeEndpoint[]): void {
  endpoints = described;
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    if (pathname === "/ws" && current !== null) return Promise.resolve(responseOf(current.gateway.refusal));
    if (!pathname.startsWith("/api/")) return real.fetch(request);
    return serverFor(request)?.fetch(request) ?? new Promise(() => undefined);
  };
  const FakeSocket = createFakeSocket(() => {
    if (current === null) throw new Error("The page connects while no test runs.");
    const { protocol, onConnection, presenceOf, connections, gateway } = current;
    const opened = (connection: FakeConnection) => connections.push(connection);
    return { protocol, onConnection, presenceOf, isShut: gateway.isShut, opened };
  });
  globalThis.WebSocket = new Proxy(real.WebSocket, {
    construct: (target, [url, ...rest]) =>
      new URL(url, location.href).pathname === "/ws" ? new FakeSocket(String(url)) : new target(url, ...rest),
  });
  // Uploads then go through `fetch`.
  Reflect.deleteProperty(globalThis, "XMLHttpRequest");
}

/** The test in which each session's first request came. */
const testOfSession = new Map<string, Current>();

/** A page asks on for a while after its test: its session leads to the server of that test, which nobody looks at then. */
function serverFor(request: Request): Current | null {
  const session = request.headers.get("authorization");
  if (session === null) return current;
  const test = testOfSession.get(session) ?? current;
  if (test !== null) testOfSession.set(session, test);
  return test;
}

/** Makes the server of a test. */
export function beginTest({ onConnection, presenceOf }: Pick<Current, "onConnection" | "presenceOf">): PageGlobals {
  const protocol: Protocol = { answers: [], frames: [], failures: [] };
  const { server, fetch } = createFakeServer(endpoints, protocol);
  const begun: Current = {
    server,
    fetch,
    onConnection,
    presenceOf,
    protocol,
    connections: [],
    gateway: { refusal: refuse(400, "WebSocket upgrade required"), isShut: false },
    end() {
      if (current === begun) current = null;
    },
  };
  current = begun;
  last = protocol;
  return begun;
}

/** The traffic since the last call. */
export function takeProtocol(): Protocol | null {
  const taken = last;
  last = null;
  return taken;
}

/** Keeps a failure of the page for the test that runs. */
export function pageFailed(sentence: string): void {
  last?.failures.push(sentence);
}

const responseOf = ({ status, body }: SpecialAnswer) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json; charset=utf-8" } });
