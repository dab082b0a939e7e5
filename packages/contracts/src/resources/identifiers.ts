import { z } from "zod";
import { errorTexts } from "../error-texts.js";

const uuidPattern = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

/** Whether the text is a UUID of any RFC 9562 version, in either case. */
export function isUuid(value: unknown): value is string {
  return typeof value === "string" && uuidPattern.test(value);
}

/** The example of a UUID in the descriptions of the interface. */
export const uuidExample = "0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f60";

/** A UUID the service answers with: lower-case, hyphenated (docs/protocol/requests.md#1.2). */
export const uuid = z.string().meta({ format: "uuid", example: uuidExample });

/**
 * A UUID of a request, folded to lower-case (docs/protocol/requests.md#1.2).
 *
 * @param message text of the 400 answer
 */
export function uuidInput(message: string = errorTexts.invalid_identifier) {
  return z
    .string(message)
    .regex(uuidPattern, message)
    .transform((value) => value.toLowerCase())
    .meta({ format: "uuid", example: uuidExample });
}

/** The example of an instant there. */
export const timestampExample = "2026-01-02T03:04:05.678Z";

/** An instant the service answers with: ISO 8601 UTC with milliseconds (docs/protocol/requests.md#1.2). */
export const timestamp = z.string().meta({ format: "date-time", example: timestampExample });
