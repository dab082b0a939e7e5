import { type FailedRequest, foreign, ParleyError } from "./error.js";

/**
 * Reads an answer in JSON.
 *
 * @throws ParleyError for anything else, such as the page of a proxy
 */
export async function readJson<Result>(response: Response, request: FailedRequest): Promise<Result> {
  if (!/\bjson\b/i.test(response.headers.get("content-type") ?? "")) throw foreign(response, request);
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ParleyError({ status: response.status, code: "unknown", text: "The answer is no JSON", request, cause });
  }
}
