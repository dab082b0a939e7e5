/**
 * What one tenant may have at most (docs/interface.md#16.3) and do per second (docs/interface.md#1.6,
 * docs/interface.md#14.1).
 */
export const caps = {
  channels: 500,
  overridesPerChannel: 100,
  roles: 250,
  words: 1_000,
  wordCodePoints: 100,
  webhooks: 10,
  bots: 25,
  memberships: 200,
  /** DM channels that READY and an unpaged list have. */
  directChannelsShown: 200,
  connectionsPerAddress: 1_000,
  connectionsPerUser: 50,
  restPerSecond: 10,
  botPerSecond: 50,
  /** All bots behind one address together. */
  botsPerSecond: 200,
  framesPerSecond: 20,
} as const;

/** How long is measured, and how much there is of what has no cap. */
export interface NeighbourSizes {
  /** Alternations of alone and beside. */
  rounds: number;
  /** Of each measured phase; a scenario whose backlog grows slowly may ask for more. */
  phaseMs: number;
  /** Messages of the hostile server. */
  messages: number;
  members: number;
  /** DM channels that others opened with the hostile account, or it with them. */
  directChannels: number;
}

export const fullSizes: NeighbourSizes = {
  rounds: 3,
  phaseMs: 10_000,
  messages: 300_000,
  members: 50_000,
  directChannels: 3_000,
};

/** Sizes that only show that it works; what has a cap stands at its cap all the same. */
export const quickSizes: NeighbourSizes = {
  rounds: 1,
  phaseMs: 2_000,
  messages: 20_000,
  members: 5_000,
  directChannels: 500,
};
