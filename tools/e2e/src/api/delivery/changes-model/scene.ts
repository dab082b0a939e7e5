import type { Answer, RestClient } from "@parley/testing";
import type { Lists, ServerLists } from "./lists.js";

/** Who does something, and what they see. */
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

/** Chooses at once what it does; null when there is nothing to do it with. */
export type Operation = (scene: Scene) => Promise<Answer> | null;
