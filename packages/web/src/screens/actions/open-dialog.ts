import type { ScheduledEvent, ScheduledMessage } from "@parley/client";
import type { ModerationBit } from "@parley/permissions";
import { create } from "zustand";

/** The kinds of things that users can report. */
export type Reportable = "message" | "directMessage" | "user" | "server";

/** A dialog of an action, which outlives the menu and the row that it was chosen in. */
export type ActionDialog =
  | { kind: "profile"; userId: string; serverId: string | null }
  | { kind: "moderate"; bit: ModerationBit; userId: string; username: string; serverId: string }
  | { kind: "report"; of: Reportable; id: string; name: string }
  | { kind: "history"; serverId: string; userId: string; username: string }
  | { kind: "nickname"; serverId: string; userId: string }
  | { kind: "reactions"; channelId: string; messageId: string; serverId: string; emoji: string | null }
  | { kind: "react"; channelId: string; messageId: string; serverId: string | null }
  | { kind: "edit channel" | "channel permissions" | "delete channel"; channelId: string }
  | { kind: "create channel"; serverId: string; category: string | null }
  | { kind: "forward"; messageId: string; isDirect: boolean }
  | { kind: "remind"; messageId: string | null; text: string | null }
  | { kind: "note"; messageId: string; note: string | null }
  | { kind: "change plan"; plan: ScheduledMessage }
  | { kind: "edit event"; event: ScheduledEvent; serverId: string }
  | { kind: "group"; channelId: string }
  | { kind: "switcher" | "search" | "shortcuts" | "create group" }
  | { kind: "coming events"; serverId: string }
  | { kind: "invite" | "leave"; serverId: string };

interface OpenDialog {
  dialog: ActionDialog | null;
  open: (dialog: ActionDialog) => void;
  close: () => void;
}

/** The dialog that is open; there is one at a time. */
export const useOpenDialog = create<OpenDialog>((set) => ({
  dialog: null,
  open: (dialog) => set({ dialog }),
  close: () => set({ dialog: null }),
}));
