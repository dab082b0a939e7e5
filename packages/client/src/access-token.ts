/** Longest time between the check of a token and the server's. */
const usedWithinMs = 5_000;

/**
 * Whether an access token has expired by its own claim, or nearly; false for a token without that claim. By the clock
 * of this device, so that a wrong one costs a renewal.
 */
export function hasExpired(accessToken: string): boolean {
  try {
    const payload = (accessToken.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    return JSON.parse(atob(payload)).exp * 1_000 < Date.now() + usedWithinMs;
  } catch {
    return false;
  }
}
