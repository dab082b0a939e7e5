import { errorTexts, invalidInput } from "@parley/contracts";
import type { Request, Response } from "express";
import { isFormEncoded, parseJson, readFormText, readJsonBody } from "../../http/json-body.js";

/**
 * Reads what was posted: JSON, or a form with JSON in its field `payload`.
 *
 * @throws ServiceError 400
 */
export async function readPostedBody(request: Request, response: Response): Promise<unknown> {
  if (!isFormEncoded(request)) return readJsonBody(request, response);
  const payload = new URLSearchParams(await readFormText(request, response)).get("payload");
  if (payload === null) throw invalidInput(errorTexts.field_required("payload"));
  return parseJson(payload);
}
