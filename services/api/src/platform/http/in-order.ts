import type { RequestHandler } from "express";

/**
 * One handler that runs several, one after the other. Express compares the path of a request with that of each handler that it
 * is given; these take every path.
 */
export function inOrder(...handlers: readonly RequestHandler[]): RequestHandler {
  const serve: RequestHandler = (request, response, next) => {
    let at = 0;
    const proceed = (error?: unknown): void => {
      const handler = handlers[at];
      at += 1;
      if (error !== undefined || handler === undefined) next(error);
      else void handler(request, response, proceed);
    };
    proceed();
  };
  // Code that walks express' routers finds these as well.
  return Object.assign(serve, { stack: handlers.map((handle) => ({ handle })) });
}
