import { errorTexts, invalidInput } from "@parley/contracts";
import type { Request, Response } from "express";
import { isFormEncoded, parseJson, readFormText, readJsonBody } from "../../http/json-body.js";

/**
 * Reads what was posted: JSON, or a form with JSON in its field `payload`.
 *
 * @param fieldNames fields of a form that are the body where it has no JSON
 * @throws ServiceError 400
 */
export async function readPostedBody(
  request: Request,
  response: Response,
  fieldNames: readonly string[] = [],
): Promise<unknown> {
  if (!isFormEncoded(request)) return readJsonBody(request, response);
  const form = new URLSearchParams(await readFormText(request, response));
  const payload = form.get("payload") ?? form.get("payload_json");
  if (payload !== null) return parseJson(payload);
  const fields = [...form].filter(([name]) => fieldNames.includes(name));
  if (fields.length === 0) throw invalidInput(errorTexts.field_required("payload"));
  return Object.fromEntries(fields);
}
