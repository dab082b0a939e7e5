import { create } from "zustand";

/** Which parts of the frame are in sight. */
interface Layout {
  /** On narrow screens: the drawer with servers and channels. */
  isNavigationOpen: boolean;
  showNavigation: (isOpen: boolean) => void;
  /** Members beside the messages; on narrow screens in a drawer. */
  areMembersShown: boolean;
  showMembers: (areShown: boolean) => void;
}

const membersKey = "parley.members";

/** The layout, of which the members are remembered over visits. */
export const useLayout = create<Layout>((set) => ({
  isNavigationOpen: false,
  showNavigation: (isNavigationOpen) => set({ isNavigationOpen }),
  areMembersShown: localStorage.getItem(membersKey) !== "hidden" && innerWidth > 1_000,
  showMembers: (areMembersShown) => {
    localStorage.setItem(membersKey, areMembersShown ? "shown" : "hidden");
    set({ areMembersShown });
  },
}));
