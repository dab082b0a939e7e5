import { errorTexts, ServiceError } from "@parley/contracts";

/** A storage that failed or is full, as a caller learns it; the cause is for the log. */
export function storageUnavailable(cause: unknown): ServiceError {
  return new ServiceError("unavailable", errorTexts.unavailable, { cause });
}

/** Whether the operating system reported the error, with the code if one is asked for. */
export function isSystemError(error: unknown, ...codes: string[]): boolean {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return false;
  return codes.length === 0 || codes.includes(String(error.code));
}
