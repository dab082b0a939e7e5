/** How long a server (PostgreSQL, Redis, NATS) may take from its start to its ready line; crash recovery included. */
export const serverReadyTimeoutMs = 60_000;

/** How long a service may take from its start to a ready answer. */
export const serviceReadyTimeoutMs = 60_000;

/** How often the readiness of a starting service is checked. */
export const readinessPollMs = 50;

/** One readiness request. */
export const readinessRequestTimeoutMs = 2_000;

/** How long a process gets between the request to stop and the kill. */
export const stopTimeoutMs = 10_000;

/** First and longest wait before a died process is started again; the wait doubles in between. */
export const restartDelayMinMs = 500;
export const restartDelayMaxMs = 15_000;

/** A process that lived this long counts as healthy again: its next restart waits the first wait only. */
export const restartResetMs = 30_000;

/** Two interrupts within this time are one Ctrl-C: npm forwards the one that the terminal already delivered. */
export const sameInterruptMs = 1_000;

/** How many of its last output lines a died process is reported with. */
export const reportedLinesMax = 15;

/** Output lines kept until the address table is printed. */
export const waitingLinesMax = 2_000;

/** After a killed start: how long its servers may need to end, and how often their ports are looked at. */
export const takeOverPatienceMs = 12_000;
export const portPollMs = 100;

/** How often a start by npm looks whether npm still runs. */
export const parentCheckMs = 500;
