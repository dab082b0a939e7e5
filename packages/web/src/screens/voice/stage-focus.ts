import { create } from "zustand";

/** What is large in the stages of voice channels: the key of a tile, by channel; everybody is alike without one. */
interface StageFocus {
  readonly focused: Readonly<Record<string, string | null>>;
  readonly focus: (channelId: string, tile: string | null) => void;
}

/** The choice of what is large, for the stage and for links into it. */
export const useStageFocus = create<StageFocus>((set) => ({
  focused: {},
  focus: (channelId, tile) => set(({ focused }) => ({ focused: { ...focused, [channelId]: tile } })),
}));

/** The tile of a user's shared screen. */
export const screenTile = (userId: string): string => `screen ${userId}`;

/** The tile of a user, with their camera or picture. */
export const personTile = (userId: string): string => `person ${userId}`;
