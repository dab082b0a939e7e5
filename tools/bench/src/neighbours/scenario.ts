import type { HostileLoad, HostileReport } from "./loads.js";
import type { Probe } from "./probes.js";
import type { NeighbourSizes } from "./sizes.js";
import type { Neighbourhood } from "./world.js";

/** Something counted beside the time that stays within a bound whatever the machine does. */
export interface Bound {
  readonly what: string;
  readonly counted: number;
  readonly max: number;
}

/** A scenario on a neighbourhood, with both tenants in place. */
export interface PreparedScenario {
  readonly probe: Probe;
  /** The loads of the hostile tenant in the n-th round. */
  readonly loads: (round: number) => readonly HostileLoad[];
  /** After the hostile load of a round has stopped: undoes work that would go on by itself. */
  readonly calmDown?: () => Promise<void>;
  /** Further bounds that must hold, by the results of the hostile tenant. */
  readonly bounds?: (reports: readonly HostileReport[]) => Promise<Bound[]> | Bound[];
  readonly close?: () => Promise<void>;
}

/** One resource that tenants share, one tenant who uses it as much as the caps allow, and one who wants little of it. */
export interface Scenario {
  readonly name: string;
  readonly resource: string;
  /** The hostile tenant in a few words, for the table. */
  readonly hostile: string;
  /** The least that a phase must last before the resource is under full load. */
  readonly phaseMsMin?: number;
  readonly prepare: (world: Neighbourhood, sizes: NeighbourSizes) => Promise<PreparedScenario>;
}
