import { Ban, UserCheck, UserMinus, UserPlus } from "lucide-react";
import type { RelationAction } from "./use-relation.js";

/** The picture beside an action on a user. */
export function RelationIcon({ kind }: Pick<RelationAction, "kind">) {
  const Icon =
    kind === "ask"
      ? UserPlus
      : kind === "accept"
        ? UserCheck
        : kind === "block" || kind === "unblock"
          ? Ban
          : UserMinus;
  return <Icon size={16} aria-hidden />;
}
