/** How long a request or its answer may stand still between edge and service. */
export const standstillTimeoutMs = 120_000;

/** How long a service may take to accept a connection. */
export const dialTimeoutMs = 2_000;

/** How long a gateway may take to answer an upgrade request. */
export const upgradeTimeoutMs = 30_000;

/** How long an idle connection to a service is kept for the next request: shorter than a service that stops lets it be. */
export const idleUpstreamMs = 500;

/** How long an idle client connection is kept for its next request. */
export const keepAliveTimeoutMs = 75_000;

/** How long a client may take to send the head of a request: as `client_header_timeout` in deploy/nginx/nginx.conf. */
export const headersTimeoutMs = 20_000;

/** Interval at which Node.js checks the time limits of heads and whole requests. */
export const timeoutCheckMs = 5_000;

/** A whole request, body included: 52 MB over a slow line. */
export const requestTimeoutMs = 3_600_000;

/** For how long a request waits for an api that answers, as deploy/nginx/repeat.conf, and the pause between two tries. */
export const repeatMs = 25_000;
export const repeatPauseMs = 250;

/** A request that ends each api it reaches gets to so many. */
export const repeatsMax = 4;

/** A body up to here is read for its nonce: as `client_body_buffer_size` in deploy/nginx/routes.conf. */
export const repeatableBodyBytes = 65_536;
