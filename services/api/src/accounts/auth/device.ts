import type { Request } from "express";
import { clientAddressOf } from "../../platform/http/client-address.js";
import { type MailLanguage, mailLanguageOf } from "../../platform/mail/account-texts.js";

/** Where a request comes from. */
export interface Device {
  /** The client's address, as in the rate limits. */
  address: string;
  userAgent: string | undefined;
  /** The language of the mails that the request causes. */
  language: MailLanguage;
  /** The address of the installation as the client reached it, where no setting names one. */
  origin: string;
  /** In log lines about it. */
  requestId: string;
}

export function deviceOf(request: Request): Device {
  return {
    address: clientAddressOf(request),
    userAgent: request.headers["user-agent"],
    language: mailLanguageOf(request),
    origin: `${request.protocol}://${request.headers.host ?? "localhost"}`,
    requestId: request.state.id,
  };
}
