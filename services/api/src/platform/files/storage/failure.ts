import { errorTexts, ServiceError } from "@parley/contracts";

/** The error for callers when the storage failed or is full; the cause is for the log. */
export function storageUnavailable(cause: unknown): ServiceError {
  return new ServiceError("unavailable", errorTexts.unavailable, { cause });
}

/** Whether the error comes from the operating system, and has the code if one is given. */
export function isSystemError(error: unknown, ...codes: string[]): boolean {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return false;
  return codes.length === 0 || codes.includes(String(error.code));
}
