import { create } from "zustand";
import { membersShown, voiceChatShown } from "../../device/device-storage.js";

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

/** The layout. Whether members and the chat of voice channels are shown is stored on this device. */
export const useLayout = create<Layout>((set) => ({
  isNavigationOpen: false,
  showNavigation: (isNavigationOpen) => set({ isNavigationOpen }),
  areMembersShown: membersShown.read() && innerWidth > 1_000,
  showMembers: (areMembersShown) => {
    membersShown.write(areMembersShown);
    set({ areMembersShown });
  },
  isChatShown: voiceChatShown.read(),
  showChat: (isChatShown) => {
    voiceChatShown.write(isChatShown);
    set({ isChatShown });
  },
}));
