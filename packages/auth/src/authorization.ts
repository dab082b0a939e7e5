import { errorTexts } from "@parley/contracts";

/** The credential of a caller: an access token (`bearer`) or a bot's static token (`bot`). */
export interface Credential {
  scheme: "bearer" | "bot";
  credential: string;
}

const schemes: Readonly<Record<string, Credential["scheme"]>> = { bearer: "bearer", bot: "bot" };

/**
 * Reads an `Authorization` header: scheme in any case, blanks, credential. Null for any other scheme or form
 * (docs/protocol/accounts.md#2).
 */
export function parseAuthorization(header: string | undefined): Credential | null {
  const match = /^ *([A-Za-z]+) +([^ ]+) *$/.exec(header ?? "");
  const [, name = "", credential = ""] = match ?? [];
  const scheme = Object.hasOwn(schemes, name.toLowerCase()) ? schemes[name.toLowerCase()] : undefined;
  return scheme === undefined ? null : { scheme, credential };
}

/** The text of the 401 for a credential that was not accepted (docs/protocol/requests.md#1.4). */
export function rejectionText(credential: Credential | null): string {
  return credential?.scheme === "bot" ? errorTexts.invalid_bot_token : errorTexts.invalid_token;
}
