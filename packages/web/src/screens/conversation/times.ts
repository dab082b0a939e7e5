import { texts } from "../../texts/texts.js";

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const date = new Intl.DateTimeFormat(undefined, { dateStyle: "full" });
const shortDate = new Intl.DateTimeFormat(undefined, { dateStyle: "short" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "short" });

/** The time of day of a message. */
export const showClock = (timestamp: string): string => clock.format(new Date(timestamp));

/** Date and time of a message in full. */
export const showMoment = (timestamp: string): string => full.format(new Date(timestamp));

/** The day of a message, for the line between days. */
export function showDay(timestamp: string): string {
  return nearDay(timestamp) ?? date.format(new Date(timestamp));
}

/** The time of a message, with its date unless it is of today. */
export function showWhen(timestamp: string): string {
  const day = nearDay(timestamp);
  const time = showClock(timestamp);
  if (day === texts.conversation.today) return time;
  return `${day ?? shortDate.format(new Date(timestamp))}, ${time}`;
}

function nearDay(timestamp: string): string | null {
  const day = new Date(timestamp).toDateString();
  const yesterday = new Date();
  yesterday.setDate(yesterday.getDate() - 1);
  if (day === new Date().toDateString()) return texts.conversation.today;
  return day === yesterday.toDateString() ? texts.conversation.yesterday : null;
}
