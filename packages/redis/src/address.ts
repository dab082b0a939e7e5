import { eachHost, readTlsFiles, tlsFilesOf } from "@parley/service-runtime";
import type { RedisOptions } from "ioredis";
import { commandTimeoutMs } from "./limits.js";

/** The input of ioredis beside a URL, or, with Sentinel, instead of one. */
export interface Address {
  readonly url: string | undefined;
  readonly options: RedisOptions;
}

/**
 * Where Redis is: `redis://` and `rediss://` as ioredis reads them, `redis+sentinel://` and `rediss+sentinel://` with a
 * list of sentinels and the name under which they watch Redis. User and password are those of Redis; sentinels that
 * want some get the parameters `sentinelUsername` and `sentinelPassword`. With `rediss+sentinel` the connections to
 * both are encrypted. The files of TLS are parameters, too (`tlsFilesOf`); they are read once.
 *
 * @param options.retryDelayMs pause before the sentinels are asked again, when none of them knows
 */
export function addressOf(url: string, { retryDelayMs }: { retryDelayMs: (attempt: number) => number }): Address {
  const scheme = /^rediss?\+sentinel:/i.exec(url)?.[0];
  if (scheme === undefined) return { url, options: /^rediss:/i.test(url) ? { tls: tlsOf(new URL(url)) } : {} };
  const sentinels = eachHost(url).map((one) => new URL(one));
  const first = new URL(eachHost(url)[0]);
  const { username, password, pathname, searchParams } = first;
  const sentinelUsername = searchParams.get("sentinelUsername");
  const sentinelPassword = searchParams.get("sentinelPassword");
  const secured = scheme.toLowerCase() === "rediss+sentinel:";
  return {
    url: undefined,
    options: {
      sentinels: sentinels.map(({ hostname, port }) => ({
        host: hostname.replace(/^\[|\]$/g, ""),
        port: port === "" ? sentinelPort : Number(port),
      })),
      name: decodeURIComponent(pathname.slice(1)),
      ...(username === "" ? {} : { username: decodeURIComponent(username) }),
      ...(password === "" ? {} : { password: decodeURIComponent(password) }),
      ...(sentinelUsername === null ? {} : { sentinelUsername }),
      ...(sentinelPassword === null ? {} : { sentinelPassword }),
      sentinelRetryStrategy: retryDelayMs,
      sentinelCommandTimeout: commandTimeoutMs,
      ...(secured ? { tls: tlsOf(first), sentinelTLS: tlsOf(first), enableTLSForSentinelMode: true } : {}),
    },
  };
}

/** An object of its own for each, because ioredis adds to it. */
const tlsOf = (url: URL) => ({ ...readTlsFiles(tlsFilesOf(url)) });

const sentinelPort = 26_379;
