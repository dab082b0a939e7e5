import { create } from "zustand";

/** The visible parts of the frame. */
interface Layout {
  /** On narrow screens: the drawer with servers and channels. */
  isNavigationOpen: boolean;
  showNavigation: (isOpen: boolean) => void;
  /** Members beside the messages; on narrow screens in a drawer. */
  areMembersShown: boolean;
  showMembers: (areShown: boolean) => void;
  /** Messages beside the stage of a voice channel. */
  isChatShown: boolean;
  showChat: (isShown: boolean) => void;
}

const membersKey = "parley.members";
const chatKey = "parley.voice-chat";

/** The layout. Whether members and the chat of voice channels are shown is stored on this device. */
export const useLayout = create<Layout>((set) => ({
  isNavigationOpen: false,
  showNavigation: (isNavigationOpen) => set({ isNavigationOpen }),
  areMembersShown: localStorage.getItem(membersKey) !== "hidden" && innerWidth > 1_000,
  showMembers: (areMembersShown) => {
    localStorage.setItem(membersKey, areMembersShown ? "shown" : "hidden");
    set({ areMembersShown });
  },
  isChatShown: localStorage.getItem(chatKey) === "shown",
  showChat: (isChatShown) => {
    localStorage.setItem(chatKey, isChatShown ? "shown" : "hidden");
    set({ isChatShown });
  },
}));
