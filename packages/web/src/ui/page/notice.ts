import { create } from "zustand";

interface Notice {
  /** Explains a change of the page that the user did not cause, such as a deleted channel. */
  text: string | null;
  show: (text: string | null) => void;
}

/** A line above the page, until it is closed or its time has passed. */
export const useNotice = create<Notice>((set) => ({
  text: null,
  show: (text) => set({ text }),
}));
