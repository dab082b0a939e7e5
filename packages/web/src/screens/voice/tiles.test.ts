import type { VoiceState } from "@parley/client";
import { expect, test } from "vitest";
import { arrange, type Tile } from "./tiles.js";

const user: VoiceState = {
  user_id: "",
  username: "",
  channel_id: null,
  self_mute: false,
  self_deaf: false,
  self_video: false,
  self_screen: false,
  server_mute: false,
  server_deaf: false,
  joined_at: null,
};
const tile = (key: string, isOwn = false): Tile => ({
  key,
  kind: key.startsWith("screen") ? "screen" : "person",
  user,
  isOwn,
  video: null,
});
const keys = ({ large, small }: ReturnType<typeof arrange>) => [large, small].map((list) => list.map(({ key }) => key));

test("gives the focused tile the stage, and without one everybody but oneself", () => {
  const tiles = [tile("screen ben"), tile("ada", true), tile("ben"), tile("cleo")];
  expect(keys(arrange(tiles, "screen ben"))).toEqual([["screen ben"], ["ada", "ben", "cleo"]]);
  expect(keys(arrange(tiles, null))).toEqual([["screen ben", "ben", "cleo"], ["ada"]]);
  expect(keys(arrange(tiles, "screen of somebody who stopped"))).toEqual(keys(arrange(tiles, null)));
  expect(keys(arrange([tile("screen ada", true), tile("ada", true)], null))).toEqual([["ada"], ["screen ada"]]);
  expect(keys(arrange([], null))).toEqual([[], []]);
});
