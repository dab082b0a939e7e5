/** The parts of a WebSocket that this uses, in browsers and in Node.js. */
export interface WebSocketLike {
  /** Sends a text frame. */
  send(data: string): void;
  /** Begins the closing handshake. */
  close(code?: number, reason?: string): void;
  /** `open`, `message` with `data`, `close` with `code` and `reason`, `error`. */
  addEventListener(type: string, listener: (event: object) => void): void;
}

/** Opens a WebSocket. */
export type WebSocketConstructor = new (url: string) => WebSocketLike;

/**
 * The platform's WebSocket; in Node.js before version 22 that of the package `ws`.
 *
 * @throws Error when there is neither
 */
export async function findWebSocket(): Promise<WebSocketConstructor> {
  const global: unknown = Reflect.get(globalThis, "WebSocket");
  if (isConstructor(global)) return global;
  // A variable, so that bundlers for browsers do not try to resolve the package.
  const name = "ws";
  const module: unknown = await import(/* @vite-ignore */ /* webpackIgnore: true */ name).catch(() => null);
  const found: unknown = Reflect.get(Object(module), "WebSocket");
  if (isConstructor(found)) return found;
  throw new Error("There is no WebSocket here: use Node.js 22 or later, install ws, or pass the option WebSocket.");
}

function isConstructor(value: unknown): value is WebSocketConstructor {
  return typeof value === "function";
}
