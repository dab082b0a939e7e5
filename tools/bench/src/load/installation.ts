import { setTimeout as pause } from "node:timers/promises";
import { report } from "../measure.js";

/** How often a request is sent again that the installation refuses for now. */
const attemptsMax = 200;
const requestTimeoutMs = 30_000;

/** An answer other than the wanted one. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    what: string,
    body: string,
  ) {
    super(`${what} was answered ${status}: ${body.slice(0, 200)}`);
  }
}

interface Request {
  token?: string | undefined;
  body?: object | undefined;
}

/** The API of an installation, as anybody reaches it. */
export class Installation {
  /** Until when requests of a kind wait, since the last one was refused for being too many. */
  readonly #resumeAt = { auth: 0, rest: 0 };
  #isReported = false;

  constructor(
    readonly url: string,
    private readonly signal?: AbortSignal,
  ) {}

  /** Where an account connects to a gateway. */
  socketUrl(token: string, query: string): string {
    return `${this.url.replace(/^http/, "ws")}/ws?token=${token}${query}`;
  }

  /** Sends a request once. Rejects with {@link Refused} on an answer that is none of success. */
  async once(method: string, path: string, { token, body }: Request = {}): Promise<unknown> {
    const { answer, text } = await this.#send(method, path, { token, body });
    if (!answer.ok) throw new Refused(answer.status, `${method} ${path}`, text);
    return text === "" ? undefined : JSON.parse(text);
  }

  /** Sends a request again as long as it is refused for being one too many, or the edge has nobody who answers it. */
  async patiently(method: string, path: string, request: Request = {}): Promise<unknown> {
    const kind = path.startsWith("/auth/") ? "auth" : "rest";
    for (let attempt = 1; ; attempt += 1) {
      this.signal?.throwIfAborted();
      const waitMs = this.#resumeAt[kind] - performance.now();
      // Spread, so that the waiting requests do not all go at once.
      if (waitMs > 0) await pause(waitMs * (1 + Math.random() / 2), undefined, this.#waiting);
      const { answer, text } = await this.#send(method, path, request);
      if (answer.ok) return text === "" ? undefined : JSON.parse(text);
      const isForNow = answer.status === 429 || (answer.status >= 502 && answer.status <= 504);
      if (!isForNow || attempt === attemptsMax) throw new Refused(answer.status, `${method} ${path}`, text);
      const seconds = Number(answer.headers.get("retry-after") ?? 1);
      this.#resumeAt[kind] = performance.now() + Math.max(seconds, 0.2) * 1_000;
      this.#reportLimit(kind, answer);
    }
  }

  get #waiting() {
    return this.signal === undefined ? {} : { signal: this.signal };
  }

  #reportLimit(kind: string, answer: Response): void {
    if (this.#isReported || answer.status !== 429 || kind !== "auth") return;
    this.#isReported = true;
    report(
      "The limit of registrations is reached, and kept. RATE_LIMIT_AUTH_RPS is how many it lets through a second.",
    );
  }

  async #send(method: string, path: string, { token, body }: Request) {
    const answer = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    return { answer, text: await answer.text() };
  }
}
