import { randomBytes } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { AuthResponse, Server } from "@parley/contracts";
import { z } from "zod";
import { repeat, report } from "../measure.js";
import { Installation, Refused } from "./installation.js";

/** Requests of the preparation at a time. */
const lanes = 16;
/** Access tokens live 15 minutes. */
const renewAfterMs = 10 * 60_000;
const progressMs = 10_000;

/** All that is needed to find and delete the accounts of a run. */
const Run = z.object({ url: z.string(), run: z.string(), users: z.number(), password: z.string() });
type Run = z.infer<typeof Run>;

interface Session {
  accessToken: string;
  refreshToken: string;
  since: number;
}

/**
 * The accounts of a run. A file lists them from before the first one exists until the last one is deleted, so that the
 * accounts of a killed run can be deleted.
 */
export class Accounts {
  readonly #sessions = new Map<number, Session>();

  private constructor(
    private readonly file: string,
    private readonly run: Run,
  ) {}

  /** Begins a run, whose file is in the working folder. */
  static async begin(url: string, users: number): Promise<Accounts> {
    const run = randomBytes(4).toString("hex");
    const accounts = new Accounts(`parley-load-${run}.json`, {
      url,
      run,
      users,
      password: randomBytes(16).toString("hex"),
    });
    await writeFile(accounts.file, JSON.stringify(accounts.run), { mode: 0o600, flag: "wx" });
    return accounts;
  }

  /** The accounts of a run that was killed. */
  static async resume(file: string): Promise<Accounts> {
    return new Accounts(file, Run.parse(JSON.parse(await readFile(file, "utf8"))));
  }

  get id(): string {
    return this.run.run;
  }

  get url(): string {
    return this.run.url;
  }

  get fileName(): string {
    return this.file;
  }

  async register(installation: Installation, invite: string | undefined): Promise<void> {
    await inTurn("Registered", this.run.users, async (number) => {
      const body = { username: this.#name(number), password: this.run.password, invite_code: invite };
      this.#keep(number, await installation.patiently("POST", "/auth/register", { body }));
    });
  }

  /** A token of an account that is valid for some minutes more. */
  async token(installation: Installation, number: number): Promise<string> {
    const session = this.#sessions.get(number);
    if (session === undefined) throw new Error(`Account ${number} has no session.`);
    if (performance.now() - session.since < renewAfterMs) return session.accessToken;
    const body = { refresh_token: session.refreshToken };
    return this.#keep(number, await installation.patiently("POST", "/auth/refresh", { body }));
  }

  /**
   * Deletes every account and its servers, and then the file. Returns the names of accounts that could not be deleted.
   */
  async delete(): Promise<string[]> {
    const installation = new Installation(this.run.url);
    const left: string[] = [];
    await inTurn("Deleted", this.run.users, async (number) => {
      try {
        const token = await this.#tokenToDelete(installation, number);
        if (token !== null) await this.#deleteOne(installation, token);
      } catch (error) {
        left.push(`${this.#name(number)}: ${error instanceof Error ? error.message : String(error)}`);
      }
    });
    if (left.length === 0) await rm(this.file, { force: true });
    return left;
  }

  async #deleteOne(installation: Installation, token: string): Promise<void> {
    const servers = Server.pick({ id: true, owner_id: true }).array();
    const joined = servers.parse(await installation.patiently("GET", "/servers", { token }));
    const user = AuthResponse.shape.user
      .pick({ id: true })
      .parse(await installation.patiently("GET", "/users/@me", { token }));
    for (const { id, owner_id } of joined) {
      if (owner_id === user.id) await installation.patiently("DELETE", `/servers/${id}`, { token });
    }
    const { password } = this.run;
    await installation.patiently("DELETE", "/users/@me", { token, body: { password } });
  }

  /** null when there is no such account. */
  async #tokenToDelete(installation: Installation, number: number): Promise<string | null> {
    const { password } = this.run;
    try {
      if (this.#sessions.has(number)) return await this.token(installation, number);
      const body = { username: this.#name(number), password };
      return this.#keep(number, await installation.patiently("POST", "/auth/login", { body }));
    } catch (error) {
      if (error instanceof Refused && error.status === 401) return null;
      throw error;
    }
  }

  #keep(number: number, answer: unknown): string {
    const { access_token, refresh_token } = AuthResponse.pick({ access_token: true, refresh_token: true }).parse(
      answer,
    );
    this.#sessions.set(number, { accessToken: access_token, refreshToken: refresh_token, since: performance.now() });
    return access_token;
  }

  #name(number: number): string {
    return `load_${this.run.run}_${number}`;
  }
}

/** Does something for each account, several at a time, and says how far it is and how long the rest takes. */
export async function inTurn(what: string, total: number, act: (number: number) => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  let done = 0;
  const progress = setInterval(() => {
    const secondsEach = (performance.now() - startedAt) / 1_000 / Math.max(done, 1);
    report(`${what} ${done} of ${total}; about ${Math.ceil((total - done) * secondsEach)} s more`);
  }, progressMs);
  try {
    await repeat(total, lanes, async (number) => {
      await act(number);
      done += 1;
    });
  } finally {
    clearInterval(progress);
  }
}
