import { useCallback } from "react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { useRead } from "../../state/app/use-read.js";
import { isBlocked } from "../../state/people/people.js";
import type { Friend } from "../../state/store/app-state.js";
import { errorText } from "../../texts/error-text.js";
import { texts } from "../../texts/texts.js";
import { useNotice } from "../../ui/page/notice.js";

/** An action on another user: its label, and its function, which shows its own failure. */
export interface RelationAction {
  kind: "ask" | "accept" | "refuse" | "takeBack" | "end" | "block" | "unblock";
  label: string;
  danger: boolean;
  run: () => void;
}

/** Reads friends and requests for as long as the component is there. */
export function useFriends(): void {
  const { people } = useApp();
  useRead(useCallback(() => people.readFriends(), [people]));
}

/** The user's actions on another one: friendship and blocks. None on themselves. */
export function useRelation(userId: string, name: string): RelationAction[] {
  useFriends();
  const { client } = useApp();
  const labels = texts.people;
  const isMe = useAppState((state) => state.me?.id === userId);
  const friend = useAppState((state): Friend["state"] | "none" => state.friends?.[userId]?.state ?? "none");
  const isFolded = useAppState((state) => isBlocked(state, userId));
  const say = useNotice((notice) => notice.show);
  const action = (
    kind: RelationAction["kind"],
    request: () => Promise<unknown>,
    { danger = false, done }: { danger?: boolean; done?: string } = {},
  ): RelationAction => ({
    kind,
    label: labels[kind],
    danger,
    // The event changes the page.
    run: () => {
      request().then(
        () => {
          if (done !== undefined) say(done);
        },
        (error: unknown) => say(errorText(error)),
      );
    },
  });
  if (isMe) return [];
  const add = () => client.friends.add(userId);
  const remove = () => client.friends.remove(userId);
  if (isFolded) return [action("unblock", () => client.blocks.remove(userId))];
  const block = action("block", () => client.blocks.add(userId), { danger: true, done: labels.nowBlocked(name) });
  switch (friend) {
    case "none":
      return [action("ask", add, { done: labels.asked(name) }), block];
    case "incoming":
      return [action("accept", add), action("refuse", remove), block];
    case "outgoing":
      return [action("takeBack", remove), block];
    case "friends":
      return [action("end", remove, { danger: true }), block];
  }
}
