import type { IncomingMessage } from "node:http";
import { errorTexts } from "@parley/contracts";

/** The characters of an authority without user information: a host and an optional port (RFC 3986 3.2). */
const hostPattern = /^[\w.~!$&'()*+,;=%:[\]-]+$/;
const absoluteForm = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)(.*)$/is;

/**
 * Checks the head of a request for faults that RFC 9112 forbids and the parser of Node.js accepts. Two servers may
 * interpret such a head differently: the host that it addresses, or the end of its body. So a proxy must not forward it
 * either.
 *
 * Replaces a target in absolute form by its path and query, and the Host by the target's authority (RFC 9112 3.2.2).
 *
 * @returns the text of the 400, or null
 */
export function refusalOfHead(request: IncomingMessage): string | null {
  const hosts = request.headersDistinct.host ?? [];
  if (request.httpVersion === "1.1" && hosts.join("") === "") return errorTexts.host_required;
  if (hosts.length > 1 || !hosts.every((host) => hostPattern.test(host))) return errorTexts.malformed_request;
  const coding = request.headers["transfer-encoding"];
  if (coding !== undefined && (request.httpVersion !== "1.1" || coding.toLowerCase() !== "chunked"))
    return errorTexts.malformed_request;
  return takeTarget(request) ? null : errorTexts.malformed_request;
}

function takeTarget(request: IncomingMessage): boolean {
  const [, authority, rest = ""] = absoluteForm.exec(request.url ?? "") ?? [];
  if (authority === undefined) return request.url?.startsWith("/") ?? false;
  if (!hostPattern.test(authority)) return false;
  request.url = rest.startsWith("/") ? rest : `/${rest}`;
  request.headers.host = authority;
  const at = request.rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === "host");
  if (at !== -1) request.rawHeaders[at + 1] = authority;
  return true;
}
