import type { VoiceState } from "@parley/client";
import type { Tracks } from "../../voice/tracks.js";
import { personTile, screenTile } from "./stage-focus.js";

/** One picture of the stage: a participant, or the screen that they share. */
export interface Tile {
  readonly key: string;
  readonly kind: "person" | "screen";
  readonly user: VoiceState;
  readonly isOwn: boolean;
  /** The video in it; null for a participant without camera. */
  readonly video: MediaStreamTrack | null;
}

/** The tiles of a channel: shared screens first, then everybody in the order of joining. */
export function tilesOf(
  users: readonly VoiceState[],
  ownId: string | undefined,
  tracksOf: (userId: string) => Tracks | undefined,
): Tile[] {
  const screens = users.flatMap((user): Tile[] => {
    const video = user.self_screen ? (tracksOf(user.user_id)?.screen ?? null) : null;
    const isOwn = user.user_id === ownId;
    return video === null ? [] : [{ key: screenTile(user.user_id), kind: "screen", user, isOwn, video }];
  });
  const people = users.map((user): Tile => {
    const video = user.self_video ? (tracksOf(user.user_id)?.camera ?? null) : null;
    return { key: personTile(user.user_id), kind: "person", user, isOwn: user.user_id === ownId, video };
  });
  return [...screens, ...people];
}

/**
 * Which tiles are large, and which stand in a strip beside them: the focused one alone is large, otherwise all but the
 * user's own, which they need little.
 */
export function arrange(tiles: readonly Tile[], focused: string | null): { large: Tile[]; small: Tile[] } {
  const chosen = tiles.filter(({ key }) => key === focused);
  const others = tiles.filter(({ isOwn }) => !isOwn);
  const large = chosen.length > 0 ? chosen : others.length > 0 ? others : tiles.filter(({ kind }) => kind === "person");
  return { large, small: tiles.filter((tile) => !large.includes(tile)) };
}
