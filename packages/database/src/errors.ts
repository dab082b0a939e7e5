import { z } from "zod";

/** Details of a failure, whether the driver threw it or Prisma wrapped it. */
interface Failure {
  /** SQLSTATE when PostgreSQL answered, else a code of Node, of Prisma or a kind of its adapter. */
  code?: string | undefined;
  constraint?: string | undefined;
  message: string;
}

const DriverFailure = z.object({
  code: z.string().optional().catch(undefined),
  constraint: z.string().optional().catch(undefined),
  message: z.string(),
});

/** Prisma 7 has the adapter's error in `meta`; outside of a model call it throws the adapter's error itself. */
const AdapterCause = z.object({
  kind: z.string().optional(),
  originalCode: z.string().optional(),
  originalMessage: z.string().optional(),
  constraint: z.object({ index: z.string() }).optional().catch(undefined),
});
const PrismaFailure = z.object({
  meta: z.object({ driverAdapterError: z.object({ cause: AdapterCause }) }),
  code: z.string().optional(),
  message: z.string(),
});
const AdapterFailure = z.object({ name: z.literal("DriverAdapterError"), cause: AdapterCause, message: z.string() });

function readFailure(error: unknown): Failure | undefined {
  const prisma = PrismaFailure.safeParse(error).data;
  const cause = prisma?.meta.driverAdapterError.cause ?? AdapterFailure.safeParse(error).data?.cause;
  const driver = DriverFailure.safeParse(error).data;
  if (cause === undefined) return driver;
  return {
    code: cause.originalCode ?? cause.kind ?? driver?.code,
    constraint: cause.constraint?.index,
    message: cause.originalMessage ?? driver?.message ?? "",
  };
}

function isViolation(error: unknown, sqlState: string, constraint: string | undefined): boolean {
  const failure = readFailure(error);
  if (failure?.code !== sqlState) return false;
  // The adapter drops the name of a CHECK constraint; the message still has it.
  return constraint === undefined || (failure.constraint ?? quotedName(failure.message)) === constraint;
}

const quotedName = (message: string) => /constraint "([^"]+)"/.exec(message)?.[1];

/** Whether a unique index refused the row; with `constraint`, whether it was that one (`users_username_key`). */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return isViolation(error, "23505", constraint);
}

/**
 * Whether a referenced row is missing, or a row still referenced; optionally of one constraint
 * (`members_user_id_fkey`).
 */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return isViolation(error, "23503", constraint) || isViolation(error, "23001", constraint);
}

/** Whether a row that the work needs is gone: one that was to be changed or read, or one that a new row refers to. */
export function isMissingRow(error: unknown): boolean {
  return readFailure(error)?.code === "P2025" || isForeignKeyViolation(error);
}

/** Whether two transactions conflicted (deadlock, serialization failure): the same work may be tried again. */
export function isWriteConflict(error: unknown): boolean {
  return /^(40001|40P01|P2034)$/.test(readFailure(error)?.code ?? "");
}

/**
 * Connection lost (08), out of connections, memory or disk (53), canceled or shut down (57014, 57P), a transaction that
 * took too long (25P03, 25P04), a server that became a read-only replica (25006).
 */
const unavailableStates = /^(08\d\d\d|08P01|53\d\d\d|57014|57P\d\d|25P0[34]|25006)$/;
const unavailableAdapterKinds = /^(DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections)$/;
const unavailablePrismaCodes = /^(P1001|P1002|P1008|P1017|P2024|P2028|P2037)$/;
const unavailableSystemCodes =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
const unavailableCodes = [unavailableStates, unavailableSystemCodes, unavailableAdapterKinds, unavailablePrismaCodes];
/**
 * Messages of errors that pg throws without a code, of `ping` and of the choice of a host, and of a missing Unix socket (ENOENT of `connect`).
 */
const unavailableMessages =
  /^(PostgreSQL did not answer|No host takes writes|connect ENOENT|Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Query read timeout|Cannot use a pool after calling end)/;

/** Whether the database is out of reach or out of time, so that the answer is 503 and a later attempt may succeed. */
export function isUnavailable(error: unknown): boolean {
  const failure = readFailure(error);
  if (failure === undefined) return false;
  if (unavailableCodes.some((codes) => codes.test(failure.code ?? ""))) return true;
  if (unavailableMessages.test(failure.message)) return true;
  return error instanceof Error && error.cause instanceof Error && isUnavailable(error.cause);
}
