/** Mails that wait to be sent, in one process; beyond, new ones are dropped with a warning. */
export const waitingMailsMax = 1_000;
/** Connections to the mail server at a time. */
export const mailConnectionsMax = 2;
/** How long the mail server may take to accept a connection and to answer each command. */
export const mailTimeoutMs = 10_000;
/** Attempts to send a mail, and the pause after the first failed one, which doubles. */
export const mailAttemptsMax = 4;
export const mailRetryMs = 2_000;
/** Tokens that one account has at a time; further requests send no mail. */
export const mailedTokensMax = 3;
/** Life of a token that verifies an address. */
export const emailVerificationTtlSeconds = 24 * 3600;
