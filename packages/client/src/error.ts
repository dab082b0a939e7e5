/** What went wrong with a request or a connection. */
export class ParleyError extends Error {
  /** Identifies the error where `instanceof` does not work, because the class was loaded twice. */
  override readonly name = "ParleyError";
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** The server's text, which names the rule that failed. */
  readonly code: string;
  /** Id under which the server logged the request; null without an answer. */
  readonly requestId: string | null;

  /** Made by the client; `cause` is what a lower layer threw. */
  constructor(answer: { status: number; code: string; requestId?: string | null; cause?: unknown }) {
    super(answer.status === 0 ? answer.code : `${answer.status} ${answer.code}`, { cause: answer.cause });
    this.status = answer.status;
    this.code = answer.code;
    this.requestId = answer.requestId ?? null;
  }
}

/** The error that an answer carries. */
export async function readError(response: Response): Promise<ParleyError> {
  return errorOf(response, await response.text().catch(() => ""));
}

/** The error that a response with this body means. */
export function errorOf(response: Response, text: string): ParleyError {
  return new ParleyError({
    status: response.status,
    code: errorText(text) ?? (response.statusText || "No text"),
    requestId: response.headers.get("x-request-id"),
  });
}

function errorText(text: string): string | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null && "error" in body ? String(body.error) : null;
  } catch {
    return null;
  }
}
