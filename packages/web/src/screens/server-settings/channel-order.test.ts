import type { Channel } from "@parley/client";
import { expect, test } from "vitest";
import { channelChanges, channelEntries, moveEntry, withChanges } from "./channel-order.js";

const channel = (name: string, position: number, category: string | null): Channel => ({
  id: name,
  server_id: "server",
  name,
  type: "text",
  position,
  category,
  topic: null,
  created_at: "2026-01-01T00:00:00.000Z",
});
const channels = [
  channel("welcome", 0, null),
  channel("openings", 1, "Play"),
  channel("endgames", 2, "Play"),
  channel("bar", 3, "Rooms"),
  channel("hall", 4, "Rooms"),
];

/** The order after a drop, as it is shown when the changes have been made. */
function afterDrop(id: string, overId: string) {
  const changes = channelChanges(moveEntry(channelEntries(channels), id, overId));
  const shown = channelEntries(withChanges(channels, changes)).map((entry) =>
    entry.kind === "category" ? `[${entry.name}]` : entry.name,
  );
  return { shown: shown.join(" "), requests: changes.length };
}

test.each([
  ["hall", "bar", "welcome [Play] openings endgames [Rooms] hall bar", 1],
  ["welcome", "endgames", "[Play] openings endgames welcome [Rooms] bar hall", 3],
  ["bar", "category Rooms", "welcome [Play] openings endgames bar [Rooms] hall", 1],
  ["openings", "category Play", "welcome openings [Play] endgames [Rooms] bar hall", 1],
  ["endgames", "category Rooms", "welcome [Play] openings [Rooms] endgames bar hall", 1],
  ["category Rooms", "category Play", "welcome [Rooms] bar hall [Play] openings endgames", 2],
  ["category Play", "category Rooms", "welcome [Rooms] bar hall [Play] openings endgames", 2],
])("%s dropped on %s gives the order %s in %i requests", (id, overId, shown, requests) => {
  expect(afterDrop(id, overId)).toEqual({ shown, requests });
});
