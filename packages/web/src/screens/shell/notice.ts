import { create } from "zustand";

interface Notice {
  /** What happened by itself and explains what is on the screen now. */
  text: string | null;
  show: (text: string | null) => void;
}

/** One line above the page, until it is closed or a while has passed. */
export const useNotice = create<Notice>((set) => ({
  text: null,
  show: (text) => set({ text }),
}));
