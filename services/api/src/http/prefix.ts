import type { RequestHandler } from "express";

const prefix = "/api";

/** Serves every path with the prefix `/api` too; only one is taken off (docs/interface.md#1.1). */
export const stripPrefix: RequestHandler = (request, _response, next) => {
  const { url } = request;
  if (url.startsWith(prefix)) {
    const after = url.charAt(prefix.length);
    if (after === "/") request.url = url.slice(prefix.length);
    else if (after === "" || after === "?") request.url = `/${url.slice(prefix.length)}`;
  }
  next();
};
