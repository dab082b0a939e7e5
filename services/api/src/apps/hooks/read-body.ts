import { errorTexts, invalidInput } from "@parley/contracts";
import type { Request, Response } from "express";
import { isFormEncoded, readForm } from "../../platform/http/form-body.js";
import { bytesReader, parseJsonField, readJsonBody } from "../../platform/http/json-body.js";
import { jsonBodyBytesMax } from "../../platform/http/limits.js";

/** Percent-encoding makes a text up to three times as long. */
const formBytesMax = 3 * jsonBodyBytesMax;
const formReader = bytesReader(formBytesMax);

/** Most bytes of a body that {@link readPostedBody} reads, beside JSON. */
export const postedBodyBytes = { "application/x-www-form-urlencoded": formBytesMax } as const;

/**
 * Reads a posted body: JSON, or a form with JSON in its field `payload`.
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
  const form = await readForm(formReader, request, response);
  const fieldOf = (wanted: string) => form.find(([name]) => name === wanted)?.[1];
  const payload = fieldOf("payload") ?? fieldOf("payload_json");
  if (payload !== undefined) return parseJsonField(payload);
  const fields = form.filter(([name]) => fieldNames.includes(name));
  if (fields.length === 0) throw invalidInput(errorTexts.field_required("payload"));
  return Object.fromEntries(fields);
}
