import type { RequestHandler } from "express";

/** No identifier, code or emoji contains it: its receiver finds it invalid, in its own words and its own turn. */
const undecodable = "%00";

/**
 * Writes the same path always the same way: characters that need no percent-encoding lose it, so `/users/%40me` is
 * `/users/@me`. A segment that is no UTF-8 is left unchanged; the route refuses it after the check of the credential
 * (docs/protocol/requests.md#1.4).
 */
export const normalisePath: RequestHandler = (request, _response, next) => {
  const [path = "", ...query] = request.url.split("?");
  if (path.includes("%")) request.url = [path.split("/").map(normaliseSegment).join("/"), ...query].join("?");
  next();
};

function normaliseSegment(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return encodeURIComponent(decodeURIComponent(segment)).replaceAll("%40", "@");
  } catch (error) {
    if (error instanceof URIError) return undecodable;
    throw error;
  }
}

const prefix = "/api";

/** Serves every path with the prefix `/api` too; only one is taken off (docs/protocol/requests.md#1.1). */
export const stripPrefix: RequestHandler = (request, _response, next) => {
  const { url } = request;
  if (url.startsWith(prefix)) {
    const after = url.charAt(prefix.length);
    if (after === "/") request.url = url.slice(prefix.length);
    else if (after === "" || after === "?") request.url = `/${url.slice(prefix.length)}`;
  }
  next();
};
