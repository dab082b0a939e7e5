/**
 * Waits for the work, at most for the given time. Late work continues, and its result or error is ignored.
 *
 * @param onTimeout what to return instead of the result when the time is over; may throw
 * @throws whatever the work or `onTimeout` throws
 */
export async function within<Result, Late>(
  work: Promise<Result>,
  timeoutMs: number,
  onTimeout: () => Late,
): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Late>((resolve, reject) => {
    timer = setTimeout(() => {
      try {
        resolve(onTimeout());
      } catch (error) {
        reject(error);
      }
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
