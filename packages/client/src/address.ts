/**
 * The origin of a server from an address as people write it: without white space around it, slashes at its end and the
 * prefix of the API.
 *
 * @throws TypeError for anything but an address with http or https
 */
export function readBaseUrl(written: string): string {
  const address = written.trim().replace(/(\/+|\/api\/*)$/, "");
  const url = /^https?:\/\/[^/?#]/i.test(address) ? parse(address) : null;
  if (url === null || url.search !== "" || url.hash !== "") {
    const text = JSON.stringify(written);
    throw new TypeError(`baseUrl is ${text}, but must be the address of a server such as https://chat.example.com`);
  }
  return url.href.replace(/\/+$/, "");
}

/** The address of a path of the API. */
export function addressOf(baseUrl: string, path: string, query: object = {}): string {
  const url = new URL(baseUrl + (path.startsWith("/api/") ? path : `/api${path}`));
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  }
  return url.href;
}

/**
 * A value as one part of a path.
 *
 * @throws TypeError for "", "." and "..", which addresses leave out, so that the path would be that of something else
 */
export function pathPart(value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new TypeError(`${JSON.stringify(value)} cannot be a part of a path`);
  return encodeURIComponent(value);
}

function parse(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}
