import { readFileSync } from "node:fs";
import { createAnswerCheck, parseDescription } from "./api-description.js";
import { createFrameCheck } from "./frame-check.js";

/** An endpoint that a fake server may answer for. */
export interface FakeEndpoint {
  readonly method: string;
  /** With parameters as `{name}`. */
  readonly path: string;
  /** The status of a success; the usual one where there are several. */
  readonly status: number;
}

/** The traffic from a fake server to a page. */
export interface FakeTraffic {
  readonly answers: readonly {
    readonly method: string;
    readonly path: string;
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    /** As JSON; absent without a body. */
    readonly body?: string;
  }[];
  readonly frames: readonly string[];
}

/** Compares the traffic of a fake server with the descriptions of the real services. */
export interface FakeServerCheck {
  readonly endpoints: readonly FakeEndpoint[];
  /** Faults that no real server would have sent, one sentence each. */
  readonly problemsOf: (traffic: FakeTraffic) => string[];
}

/**
 * A check by the API description that the build of the api has written, and by the gateway's.
 *
 * @param descriptionFile path of `openapi.json`
 */
export function createFakeServerCheck(descriptionFile: string): FakeServerCheck {
  const { operations, check } = createAnswerCheck(parseDescription(readFileSync(descriptionFile, "utf8")));
  const checkFrame = createFrameCheck();
  return {
    endpoints: operations.map(({ method, path, responses }) => ({
      method,
      path,
      status: usualOf(Object.keys(responses).map(Number)),
    })),
    problemsOf: ({ answers, frames }) => [
      ...answers.flatMap(({ headers, body, ...answer }) =>
        problemOf(() =>
          check({ ...answer, headers: new Headers(headers), body: body === undefined ? undefined : JSON.parse(body) }),
        ),
      ),
      ...frames.flatMap((frame) => checkFrame(frame) ?? []),
    ],
  };
}

/** 202 is usual only where it is the one success: elsewhere a request asks for it by a field. */
function usualOf(statuses: readonly number[]): number {
  const successes = statuses.filter((status) => status < 205);
  const atOnce = successes.filter((status) => status !== 202);
  return Math.max(...(atOnce.length > 0 ? atOnce : successes));
}

function problemOf(check: () => void): string[] {
  try {
    check();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
