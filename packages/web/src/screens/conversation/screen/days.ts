/** The day of an instant where the reader is, as fields for dates have it: `2026-01-02`. */
export function dayOf(instant: Date): string {
  const [year, month, day] = [instant.getFullYear(), instant.getMonth() + 1, instant.getDate()];
  return [String(year).padStart(4, "0"), ...[month, day].map((part) => String(part).padStart(2, "0"))].join("-");
}

/** The first instant of such a day where the reader is, in ISO 8601. */
export const startOf = (day: string): string => new Date(`${day}T00:00`).toISOString();
