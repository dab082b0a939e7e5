/** Public error texts of scheduled events (docs/interface.md#18.3). */
export const eventErrors = {
  name: "Event name must be 1-200 characters",
  description: "Event description must be at most 2000 characters",
  startsAt: "starts_at must be a timestamp in the future",
} as const;
