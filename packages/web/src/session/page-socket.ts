import { takeEarlySocket } from "../early.js";

/**
 * A WebSocket that begins with the connection that the page has begun before its scripts were there, if that leads to
 * the same address. Its events so far come again, in their order, to the listeners that are there after the
 * construction.
 */
export class PageSocket {
  readonly #socket: WebSocket;
  readonly #missed: readonly Event[];

  constructor(url: string) {
    const taken = takeEarlySocket(url);
    this.#socket = taken?.socket ?? new WebSocket(url);
    this.#missed = taken?.events ?? [];
  }

  send(data: string): void {
    this.#socket.send(data);
  }

  close(code?: number, reason?: string): void {
    this.#socket.close(code, reason);
  }

  addEventListener(type: string, listener: (event: Event) => void): void {
    for (const event of this.#missed) if (event.type === type) queueMicrotask(() => listener(event));
    this.#socket.addEventListener(type, listener);
  }
}
