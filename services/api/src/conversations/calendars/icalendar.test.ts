import { expect, test } from "vitest";
import { toICalendar } from "./icalendar.js";

const place = {
  changed_at: "2026-01-01T00:00:00.123Z",
  message_id: "m",
  channel_id: "c",
  server_id: "s",
  server: "Chess; Go",
  voice_channel: null,
};
const event = {
  id: "e",
  name: "Blitz",
  description: null,
  starts_at: "2026-01-02T03:04:05.678Z",
  created_by: null,
  created_at: "2026-01-01T00:00:00.000Z",
};

test("a calendar has an event's times in UTC, and escapes its texts", () => {
  const later = { ends_at: "2026-01-02T04:00:00.000Z", place: "Hall, 1", description: "a\\b\r\nc\u0007;d\rEND:VEVENT" };
  expect(
    toICalendar([{ ...place, voice_channel: "Lounge", event: { ...event, ...later } }], "https://chat.example"),
  ).toBe(
    [
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//Parley//Events//EN",
      "BEGIN:VEVENT",
      "UID:e@chat.example",
      "DTSTAMP:20260101T000000Z",
      "DTSTART:20260102T030405Z",
      "DTEND:20260102T040000Z",
      "SUMMARY:Blitz",
      "DESCRIPTION:a\\\\b\\nc\\;d\\nEND:VEVENT",
      "LOCATION:Hall\\, 1\\, Lounge\\, Chess\\; Go",
      "URL:https://chat.example/app/servers/s/channels/c/m",
      "END:VEVENT",
      "END:VCALENDAR",
      "",
    ].join("\r\n"),
  );
});

test("no line of a calendar has more than 75 bytes, and none cuts a character", () => {
  const name = "😀é♞".repeat(66);
  const lines = toICalendar([{ ...place, event: { ...event, name } }], "https://chat.example").split("\r\n");
  expect(lines.every((line) => Buffer.byteLength(line) <= 75 && line.isWellFormed())).toBe(true);
  expect(lines.join("\r\n").replaceAll("\r\n ", "")).toContain(`SUMMARY:${name}\r\n`);
});
