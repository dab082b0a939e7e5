/**
 * The allowed rates of one tenant: settings of the services and of the edge (docs/protocol/limits.md#16.2), which
 * `startNeighbourhood` sets. The allowed numbers are in `caps` of the contracts.
 */
export const allowances = {
  restPerSecond: 10,
  botPerSecond: 50,
  /** All bots behind one address together. */
  botsPerSecond: 200,
  connectionsPerAddress: 1_000,
} as const;

/** Durations of the measurements, and numbers of things without a cap. */
export type NeighbourSizes = typeof fullSizes;

export const fullSizes = {
  /** 1: each scenario has servers of its own; 0: all have the same. */
  ownServers: 1,
  /** Alternations of alone and beside. */
  rounds: 3,
  /** Length of each measured phase; a scenario whose backlog grows slowly may ask for more. */
  phaseMs: 10_000,
  /** How long both tenants run together before the first measured phase, for code to be compiled; 0: not at all. */
  warmUpMs: 5_000,
  /** Messages of the hostile server. */
  messages: 300_000,
  members: 50_000,
  /** Sizes of a server that is deleted. */
  deleted: { messages: 1_000_000, members: 100_000 },
  /** DM channels that others opened with the hostile account, or it with them. */
  directChannels: 3_000,
};

/** Sizes that only show that it works; things with a cap stand at their cap all the same. */
export const quickSizes: NeighbourSizes = {
  ownServers: 0,
  rounds: 1,
  phaseMs: 1_000,
  warmUpMs: 0,
  messages: 20_000,
  members: 5_000,
  deleted: { messages: 20_000, members: 5_000 },
  directChannels: 500,
};
