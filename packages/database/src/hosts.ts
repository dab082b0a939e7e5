import { setTimeout as pause } from "node:timers/promises";
import { eachHost } from "@parley/service-runtime";
import pg from "pg";
import { dialingSocket } from "./dial.js";
import { isUnavailable } from "./errors.js";
import { hostPauseMs, hostTimeoutMs } from "./limits.js";

/** How connections to the database of a URL begin. */
export interface Hosts {
  /** A class of pg's clients, for `new` or for a pool. */
  readonly Client: typeof pg.Client;
}

/**
 * One host is connected to as it is. Of several (`postgresql://a:5432,b:5432/parley?target_session_attrs=read-write`),
 * which the driver does not support, a client connects to the one that takes writes. All are asked at once; the answer
 * holds for all clients of this value until a connection fails or ends.
 *
 * @throws from `connect` the refusal of the hosts, if all of them refuse (a wrong password), else an error for which
 * `isUnavailable` returns true
 */
export function hostsOf(url: string): Hosts {
  const urls = eachHost(url);
  if (urls.length === 1 && !takesWrites.test(new URL(url).searchParams.get("target_session_attrs") ?? "")) return pg;
  let writable: string | undefined;
  let search: Promise<string> | undefined;
  const find = () => {
    search ??= findWritable(urls).finally(() => {
      search = undefined;
    });
    return search;
  };

  return {
    Client: class extends pg.Client {
      constructor(config: pg.ClientConfig) {
        super({ ...config, connectionString: urls[0], connectionTimeoutMillis: hostTimeoutMs });
        this.on("error", () => {
          writable = undefined;
        });
      }

      /** A pool gives a callback. */
      override connect(callback?: unknown): Promise<this> {
        const connected = this.#toWritable();
        if (typeof callback === "function") {
          connected.then(
            () => callback(null, this),
            (error) => callback(error),
          );
        }
        return connected;
      }

      async #toWritable(): Promise<this> {
        try {
          writable ??= await find();
          const { host, port } = new pg.Client({ connectionString: writable });
          Object.assign(this, { host, port });
          await super.connect();
          if (!(await isWritable(this))) throw readOnly(writable);
          return this;
        } catch (error) {
          writable = undefined;
          this.end().catch(() => undefined);
          throw error;
        }
      }
    },
  };
}

/** The state of PostgreSQL's answer to a write there. */
const readOnlyState = "25006";

const takesWrites = /^(read-write|primary)$/;

/**
 * The URL of the first host that answers that it takes writes. A host that is gone answers late or never: until then, this
 * asks the read-only ones again, as somebody may promote one of them.
 */
async function findWritable(urls: readonly string[]): Promise<string> {
  const refusals: Error[] = [];
  const unanswered = new Set(urls);
  const ask = async (url: string) => {
    const client = new pg.Client({
      connectionString: url,
      application_name: "which host takes writes",
      stream: () => dialingSocket(),
      connectionTimeoutMillis: hostTimeoutMs,
      query_timeout: hostTimeoutMs,
    });
    client.on("error", () => undefined);
    try {
      await client.connect();
      while (!(await isWritable(client))) {
        unanswered.delete(url);
        if (unanswered.size === 0) throw readOnly(url);
        await pause(hostPauseMs);
      }
      // Ends the loops of the others.
      unanswered.clear();
      return url;
    } catch (error) {
      unanswered.delete(url);
      refusals.push(error instanceof Error ? error : new Error(String(error)));
      throw error;
    } finally {
      client.end().catch(() => undefined);
    }
  };
  try {
    return await Promise.any(urls.map(ask));
  } catch {
    const [first] = refusals;
    if (first !== undefined && refusals.every((refusal) => !isUnavailable(refusal))) throw first;
    throw new Error(`No host takes writes: ${refusals.map(({ message }) => message).join("; ")}`);
  }
}

async function isWritable(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<[string]>({ text: "SHOW transaction_read_only", rowMode: "array" });
  return rows[0]?.[0] === "off";
}

const readOnly = (url: string) =>
  Object.assign(new Error(`${new URL(url).host} is read-only`), { code: readOnlyState });
