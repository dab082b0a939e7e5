import type { LookupAddress } from "node:dns";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";

const loopback: readonly LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/** The addresses of `localhost` and of the names below it, about which no name server is asked (RFC 6761, 6.3); null for all others. */
export function localhostAddresses(name: string): readonly LookupAddress[] | null {
  return /(^|\.)localhost$/.test(name) ? loopback : null;
}

/** The addresses that a hosts file gives to a name, in its order. */
export function hostsAddresses(hostsFile: string, name: string): LookupAddress[] {
  return hostsFile.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().toLowerCase().split(/\s+/);
    return isIP(address) !== 0 && names.includes(name) ? [{ address, family: isIP(address) }] : [];
  });
}

/** The search domains of a `resolv.conf`: its last such line counts. */
export function searchDomains(resolvConf: string): string[] {
  const [, domains = ""] = [...resolvConf.matchAll(/^\s*(?:search|domain)\s+(.*)$/gm)].at(-1) ?? [];
  return domains
    .trim()
    .split(/\s+/)
    .filter((domain) => domain !== "" && domain !== ".");
}

/** The machine's own files about its names. A missing file counts as empty. */
export async function readLocalNames(): Promise<{ hostsFile: string; resolvConf: string }> {
  const [hostsFile, resolvConf] = await Promise.all(
    ["/etc/hosts", "/etc/resolv.conf"].map((path) => readFile(path, "utf8").catch(() => "")),
  );
  return { hostsFile: hostsFile ?? "", resolvConf: resolvConf ?? "" };
}
