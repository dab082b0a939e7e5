const secretParameters: ReadonlySet<string> = new Set(["token", "bot_token", "access_token", "refresh_token", "sig"]);

/** The URL (or path with query) with the values of credential parameters replaced, for logs. */
export function redactUrl(url: string): string {
  const start = url.indexOf("?");
  if (start === -1) return url;
  const pairs = url.slice(start + 1).split("&");
  const redacted = pairs.map((pair) => {
    const end = pair.indexOf("=");
    if (end === -1) return pair;
    return secretParameters.has(parameterName(pair.slice(0, end))) ? `${pair.slice(0, end)}=[redacted]` : pair;
  });
  return `${url.slice(0, start)}?${redacted.join("&")}`;
}

// Query parsers decode names too, so an encoded spelling of `token` carries the same credential.
function parameterName(raw: string): string {
  try {
    return decodeURIComponent(raw).toLowerCase();
  } catch {
    return raw.toLowerCase();
  }
}
