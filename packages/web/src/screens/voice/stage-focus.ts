import { create } from "zustand";

/** The large tile in the stages of voice channels: its key, by channel; without one all tiles are alike. */
interface StageFocus {
  readonly focused: Readonly<Record<string, string | null>>;
  readonly focus: (channelId: string, tile: string | null) => void;
}

/** The choice of the large tile, for the stage and for links into it. */
export const useStageFocus = create<StageFocus>((set) => ({
  focused: {},
  focus: (channelId, tile) => set(({ focused }) => ({ focused: { ...focused, [channelId]: tile } })),
}));

/** The tile of a user's shared screen. */
export const screenTile = (userId: string): string => `screen ${userId}`;

/** The tile of a user, with their camera or picture. */
export const personTile = (userId: string): string => `person ${userId}`;
