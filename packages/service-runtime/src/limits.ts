/** How long an idle HTTP connection stays open: longer than the usual 60 s of proxies, so that these close it first. */
export const keepAliveTimeoutMs = 65_000;

/**
 * Connections that may wait to be accepted; the kernel caps it at `net.core.somaxconn`. Node.js accepts one per turn of
 * its event loop, so thousands of simultaneous reconnects queue up. The client of a connection beyond the limit retries
 * after a second or more.
 */
export const acceptQueueMax = 16_384;

/** How long a client may take to send its request headers. */
export const headersTimeoutMs = 20_000;

/** How long a client may take to send the body of a request, unless the request may be slow. */
export const bodyTimeoutMs = 30_000;

/** How long a client may take to send a whole request that may be slow: the largest file over a slow line. */
export const requestTimeoutMs = 1_800_000;

/** Interval at which Node.js checks the time limits of heads and whole requests. */
export const timeoutCheckMs = 5_000;

/** How long requests in flight may still run when a server closes, before their connections are cut. */
export const closeGraceMs = 5_000;

/**
 * How long idle connections accept requests when a server closes. Must be longer than the edges keep idle connections
 * to the services: `keepalive_timeout` in deploy/nginx/upstreams.conf, `idleUpstreamMs` of the local edge.
 */
export const idleLingerMs = 1_000;

/** How long a server that closes accepts connections at most, when they arrive without a pause. */
export const acceptDrainMs = 1_000;

/** A turn of the event loop is short below this: few connections can have arrived after its check for them. */
export const shortTurnMs = 2;

/**
 * Items that may wait for a batch; more are refused as unavailable. The limit exceeds the number of connections,
 * requests or jobs of a process, so that a burst of all of them is served, and is reached only while a dependency
 * hangs.
 */
export const batchWaitingMax = 50_000;
