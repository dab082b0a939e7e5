/**
 * A URL with a comma list of hosts, `scheme://user:password@a:1,b:2/path?query`, as one URL for each of them, in the
 * order of the list. A URL with one host, and a text that is no URL, are returned as they are.
 */
export function eachHost(url: string): [string, ...string[]] {
  const parts = /^([^:/?#]+:\/\/(?:[^/?#]*@)?)([^/?#@]*,[^/?#@]*)((?:[/?#].*)?)$/s.exec(url);
  if (parts === null) return [url];
  const [, start = "", hosts = "", end = ""] = parts;
  const [first = "", ...others] = hosts.split(",").map((host) => `${start}${host.trim()}${end}`);
  return [first, ...others];
}
