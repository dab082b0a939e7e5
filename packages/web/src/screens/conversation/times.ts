import { formats, texts } from "../../texts/texts.js";

/** The time of day of a message. */
export const showClock = (timestamp: string): string => formats.clock(timestamp);

/** Date and time of a message in full. */
export const showMoment = (timestamp: string): string => formats.fullMoment(timestamp);

/** The day of a message, for the line between days. */
export function showDay(timestamp: string): string {
  return nearDay(timestamp) ?? formats.fullDay(timestamp);
}

/** The time of a message, with its date unless it is of today. */
export function showWhen(timestamp: string): string {
  const day = nearDay(timestamp);
  const time = showClock(timestamp);
  if (day === texts.conversation.today) return time;
  return formats.list([day ?? formats.shortDay(timestamp), time]);
}

function nearDay(timestamp: string): string | null {
  const day = new Date(timestamp).toDateString();
  const yesterday = new Date();
  yesterday.setDate(yesterday.getDate() - 1);
  if (day === new Date().toDateString()) return texts.conversation.today;
  return day === yesterday.toDateString() ? texts.conversation.yesterday : null;
}
