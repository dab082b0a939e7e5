import type { Answer, RestClient } from "@parley/testing";
import type { Lists, ServerLists } from "./lists.js";

/** A user who acts, and their view. */
export interface Scene {
  readonly as: RestClient;
  readonly userId: string;
  readonly password: string;
  readonly lists: Lists;
  readonly server: ServerLists;
  readonly everybody: readonly string[];
  /** Differs in each operation. */
  readonly number: number;
  readonly random: () => number;
  readonly pick: <Value>(values: readonly Value[]) => Value | undefined;
}

/** Chooses a request at once; null when it has no target. */
export type Operation = (scene: Scene) => Promise<Answer> | null;
