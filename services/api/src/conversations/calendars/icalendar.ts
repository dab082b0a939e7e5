import type { CalendarEvent } from "./repository.js";

/** Most bytes of a line without its end (RFC 5545, 3.1). */
const lineBytesMax = 75;

/** 2026-01-02T03:04:05.678Z as 20260102T030405Z. */
const timeOf = (instant: string) => instant.replace(/[-:]|\.\d+/g, "");

const textOf = (text: string) =>
  text
    .replace(/\r\n?/g, "\n")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 5545 has no escape for them.
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "")
    .replace(/[\\;,]/g, "\\$&")
    .replaceAll("\n", "\\n");

/** A line in parts of at most 75 bytes that cut no character; each further one begins with a space. */
function fold(line: string): string {
  let folded = "";
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > lineBytesMax) {
      folded += "\r\n ";
      bytes = 1;
    }
    folded += character;
    bytes += size;
  }
  return `${folded}\r\n`;
}

function linesOf({ event, changed_at, ...place }: CalendarEvent, publicUrl: string): string[] {
  const where = [event.place, place.voice_channel, place.server].flatMap((name) => name ?? []);
  return [
    "BEGIN:VEVENT",
    `UID:${event.id}@${new URL(publicUrl).hostname}`,
    `DTSTAMP:${timeOf(changed_at)}`,
    `DTSTART:${timeOf(event.starts_at)}`,
    ...(event.ends_at === undefined ? [] : [`DTEND:${timeOf(event.ends_at)}`]),
    `SUMMARY:${textOf(event.name)}`,
    ...(event.description === null ? [] : [`DESCRIPTION:${textOf(event.description)}`]),
    `LOCATION:${textOf(where.join(", "))}`,
    `URL:${publicUrl}/app/servers/${place.server_id}/channels/${place.channel_id}/${place.message_id}`,
    "END:VEVENT",
  ];
}

/** Events as iCalendar (RFC 5545). @param publicUrl of the installation, without a slash at its end */
export function toICalendar(events: readonly CalendarEvent[], publicUrl: string): string {
  const lines = events.flatMap((event) => linesOf(event, publicUrl));
  return ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Parley//Events//EN", ...lines, "END:VCALENDAR"]
    .map(fold)
    .join("");
}
