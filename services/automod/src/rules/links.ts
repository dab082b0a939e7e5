import type { AutomodTrigger } from "@parley/contracts";
import { parse } from "tldts";

/** Hosts of one text that are looked at; more than a meaningful message of 4,000 code points has. */
const hostsMax = 200;

const invisible = /\p{Cf}/gu;
const scheme = /https?:\/\//gi;
const hostRun = /[\p{L}\p{N}.\-。．｡]+/gu;
const edges = /^[.\-。．｡]+|[.\-。．｡]+$/g;
/** Characters before a part of a path, a query or an address of e-mail. */
const insideAddress = /[@/?#=&%]/;

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, "") : "");

/**
 * The hosts that a text links to, as URLs have them: after a scheme any, without one those that end in a public suffix.
 */
export function findHosts(text: string): string[] {
  const hosts = new Set<string>();
  const add = (host: string) => {
    if (host !== "" && hosts.size < hostsMax) hosts.add(host);
  };
  for (const token of text.replace(invisible, "").split(/[\s<>()[\]{}"'`*|,]+/u)) {
    const [first, ...links] = token.split(scheme);
    for (const link of links) add(hostOf(`http://${link}`));
    for (const run of (first ?? "").matchAll(hostRun)) {
      const [found] = run;
      const before = first?.[run.index - 1] ?? " ";
      const after = first?.[run.index + found.length] ?? " ";
      if (!/[.。．｡]/.test(found) || insideAddress.test(before) || after === "@") continue;
      const host = hostOf(`http://${found.replace(edges, "")}`);
      const { domain, isIcann } = parse(host);
      if (domain !== null && isIcann === true) add(host);
    }
  }
  return [...hosts];
}

/** @returns the first host that the rule forbids; null for none */
export function findForbiddenHost(
  hosts: readonly string[],
  { domains, mode }: { domains: ReadonlySet<string>; mode: Extract<AutomodTrigger, { type: "links" }>["mode"] },
): string | null {
  const isListed = (host: string) => {
    for (let at = 0; at >= 0 && at < host.length; ) {
      if (domains.has(host.slice(at))) return true;
      const dot = host.indexOf(".", at);
      at = dot < 0 ? host.length : dot + 1;
    }
    return false;
  };
  return hosts.find((host) => isListed(host) === (mode === "block_listed")) ?? null;
}
