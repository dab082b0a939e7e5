import type { CodeToken } from "./code-tokens.js";

/** A request to the worker. */
export interface HighlightRequest {
  language: string;
  code: string;
}

/** Longer codes, in UTF-16 units, are left as they are. */
const codeLengthMax = 8_000;
/** How long the worker may take for one code, its own loading included for the first. */
const codeTimeoutMs = 1_000;
const loadingTimeoutMs = 15_000;
/** Codes whose pieces are kept, so that scrolling does not ask for them again. */
const keptMax = 100;

type Tokens = readonly CodeToken[] | null;

const kept = new Map<string, Promise<Tokens>>();
let worker: Worker | null = null;
let hasAnswered = false;
/** The codes before, one after the other, so that each has its time to itself. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Highlights a code in a worker, which is loaded when it is first needed.
 *
 * @returns null where it stays as it is: an unknown language, a code that is too long or takes too long, no worker
 */
export function highlight(request: HighlightRequest): Promise<Tokens> {
  if (request.code.length > codeLengthMax) return Promise.resolve(null);
  const key = `${request.language}\n${request.code}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const tokens = last.then(() => ask(request));
  last = tokens;
  kept.set(key, tokens);
  const [oldest = key] = kept.keys();
  if (kept.size > keptMax) kept.delete(oldest);
  return tokens;
}

function ask(request: HighlightRequest): Promise<Tokens> {
  worker ??= new Worker(new URL("./code-worker.ts", import.meta.url), { type: "module" });
  const asked = worker;
  return new Promise((resolve) => {
    const giveUp = () => {
      asked.terminate();
      worker = null;
      hasAnswered = false;
      resolve(null);
    };
    const timer = setTimeout(giveUp, hasAnswered ? codeTimeoutMs : loadingTimeoutMs);
    asked.onmessage = ({ data }: MessageEvent<Tokens>) => {
      clearTimeout(timer);
      hasAnswered = true;
      resolve(data);
    };
    asked.onerror = () => {
      clearTimeout(timer);
      giveUp();
    };
    asked.postMessage(request);
  });
}
