/** How long an idle HTTP connection stays open: longer than the usual 60 s of proxies, so that they close first. */
export const keepAliveTimeoutMs = 65_000;

/**
 * Connections that may wait to be accepted; the kernel caps it at `net.core.somaxconn`. Node.js accepts one per turn of its
 * loop, so thousands of simultaneous reconnects queue up, and a connection beyond the limit is retried by its client after seconds.
 */
export const acceptQueueMax = 16_384;

/** How long a client may take to send its request headers. */
export const headersTimeoutMs = 20_000;

/** How long a client may take to send the body of a request, unless the request may be slow. */
export const bodyTimeoutMs = 30_000;

/** How long a client may take to send a whole request that may be slow: the largest file over a slow line. */
export const requestTimeoutMs = 1_800_000;

/** How often Node.js looks for heads and whole requests that take too long. */
export const timeoutCheckMs = 5_000;

/** How long requests in flight may still run when a server closes, before their connections are cut. */
export const closeGraceMs = 5_000;

/**
 * How long idle connections still take requests when a server closes. Longer than the edges keep idle connections to the
 * services: `keepalive_timeout` in deploy/nginx/upstreams.conf, `idleUpstreamMs` of the local edge.
 */
export const idleLingerMs = 1_000;

/** How long a server that closes may go on accepting when connections come without a pause. */
export const acceptDrainMs = 1_000;

/** A turn of the event loop in which hardly anything can have arrived unnoticed. */
export const shortTurnMs = 2;

/**
 * Items that may wait for a batch; more are refused as unavailable. More than a process has connections, requests or
 * jobs, so that a burst of all of them at once is served and only what gathers behind a dependency that hangs is refused.
 */
export const batchWaitingMax = 50_000;
